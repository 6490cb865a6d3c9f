// SPDX-License-Identifier: BSD-3-Clause
// Reads Parquet files with independent programs, DuckDB and hyparquet, and compares the values with the
// same records as CSV:
//
//     node parquet_readers.mjs RECORDS.csv RECORDS.parquet ...
//
// Run it from a copy beside a directory node_modules with @duckdb/node-api, hyparquet and
// hyparquet-compressors; missing programs are left out. Prints a line for each comparison on standard
// output. Exit status 1 and a line on standard error for the first difference.
import { readFileSync } from 'node:fs'

// RFC 4180, with line feeds.
function csv(text) {
  const rows = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}

function same(text, value) {
  if (value === null || value === undefined) return text === ''
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex') === text
  if (typeof value === 'string') return value === text
  if (typeof value === 'bigint') return value === BigInt(text)
  const number = Number(text === 'nan' ? 'NaN' : text)
  return Object.is(value, number) || value === Math.fround(number)
}

function compare(reader, path, table, rows) {
  const [header, ...expected] = table
  if (rows.length !== expected.length) {
    throw new Error(`${reader}: ${path}: ${rows.length} rows instead of ${expected.length}`)
  }
  rows.forEach((row, i) => header.forEach((name, j) => {
    if (!same(expected[i][j], row[name])) {
      throw new Error(`${reader}: ${path}: row ${i}: ${name}: ${row[name]} instead of ${expected[i][j]}`)
    }
  }))
  console.log(`${reader}: ${path}: ${rows.length} rows`)
}

async function package_or_null(name) {
  try {
    return await import(name)
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

const duckdb = await package_or_null('@duckdb/node-api')
const hyparquet = await package_or_null('hyparquet')
const { compressors } = (await package_or_null('hyparquet-compressors')) ?? {}
const connection = duckdb && await (await duckdb.DuckDBInstance.create(':memory:')).connect()
const paths = process.argv.slice(2)

for (let i = 0; i < paths.length; i += 2) {
  const path = paths[i + 1]
  const table = csv(readFileSync(paths[i], 'utf8'))
  if (connection) {
    const read = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`)
    const rows = read.getRowObjects().map((row) => Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, value?.bytes ?? value])))
    compare('duckdb', path, table, rows)
    // The statistics are used to skip row groups: what they promise must hold.
    for (const name of table[0]) {
      const sql = `SELECT count(*) AS n FROM read_parquet('${path}') WHERE "${name}" =
        (SELECT max("${name}") FROM (SELECT * FROM read_parquet('${path}')))`
      const n = (await connection.runAndReadAll(sql)).getRowObjects()[0].n
      if (n === 0n && table.length > 1 && table.some((row, k) => k > 0 && row[table[0].indexOf(name)] !== '')) {
        throw new Error(`duckdb: ${path}: the greatest ${name} is not found`)
      }
    }
  }
  if (hyparquet && compressors) {
    const file = await hyparquet.asyncBufferFromFile(path)
    compare('hyparquet', path, table,
      await hyparquet.parquetReadObjects({ file, compressors, utf8: false }))
  }
}
