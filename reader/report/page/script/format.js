// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them. Each function returns a string; a missing value becomes a dash.

const MISSING = '\u2013'
const NARROW = '\u202f' // between a number and its unit
const MINUS = '\u2212'

function isNumber(value) {
  return typeof value === 'number' && Number.isFinite(value)
}

function withMinus(text) {
  return text.replace(/^-/, MINUS)
}

// Formats an exact count: 1,234,567.
function formatCount(value) {
  if (!isNumber(value)) return MISSING
  return withMinus(Number.isInteger(value) ? d3.format(',')(value) : d3.format(',.6~r')(value))
}

// Formats a number with three digits and no prefix: 0.00123, 12.3, 1.23e-7.
function formatPlain(value) {
  if (!isNumber(value)) return MISSING
  const size = Math.abs(value)
  if (Number.isInteger(value) && size < 1e12) return formatCount(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) {
    return withMinus(value.toExponential(2).replace('e+', 'e'))
  }
  if (size >= 1000) return formatCount(Math.round(value))
  return withMinus(String(Number(value.toPrecision(4))))
}

const PREFIXES = [[1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'],
  [1e-6, '\u00b5'], [1e-9, 'n'], [1e-12, 'p']]

// Returns the prefix of the International System of Units for a size, as [factor, letter]; the factor is at
// least `least`.
function prefixFor(size, least) {
  for (const prefix of PREFIXES) {
    if (prefix[0] < least) break
    if (size >= prefix[0] * 0.9995) return prefix
  }
  return [least, PREFIXES.find((prefix) => prefix[0] === least)[1]]
}

// Formats a number with three digits, a prefix and the unit: 1.23 M, 31.5 µs.
function formatPrefixed(value, unit, least) {
  if (!isNumber(value)) return MISSING
  if (value === 0) return '0' + (unit ? NARROW + unit : '')
  const [factor, letter] = prefixFor(Math.abs(value), least)
  const scaled = Math.abs(value) / factor
  const digits = scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2
  const text = withMinus((value / factor).toFixed(digits))
  return letter || unit ? text + NARROW + letter + unit : text
}

// Formats a number of things with three digits: 987, 12.3 k, 1.18 M. Small numbers keep their digits.
function formatShort(value) {
  if (!isNumber(value)) return MISSING
  const three = Number(value.toPrecision(3))
  if (Math.abs(three) < 1000) return formatPlain(three)
  return formatPrefixed(value, '', 1)
}

function formatSeconds(value) {
  if (isNumber(value) && Math.abs(value) >= 1000) return formatCount(Math.round(value)) + NARROW + 's'
  return formatPrefixed(value, 's', 1e-12)
}

function formatPercent(value) {
  if (!isNumber(value)) return MISSING
  const size = Math.abs(value)
  if (size > 0 && size < 0.005) return (value < 0 ? '>' + MINUS : '<') + '0.01' + NARROW + '%'
  const nearly = size > 99.9 && size < 100 // must not be shown as 100
  if (nearly) value = Math.sign(value) * Math.min(99.99, size)
  return withMinus(value.toFixed(nearly || size > 0 && size < 0.1 ? 2 : size >= 99.95 || size === 0 ? 0 : 1)) + NARROW + '%'
}

// Formats a value with its unit, for any unit.
function formatQuantity(value, unit) {
  if (!isNumber(value)) return MISSING
  if (unit === '%') return formatPercent(value)
  if (unit === 's' || unit === 'seconds') return formatSeconds(value)
  if (unit === 'B' || unit === 'bytes') return formatPrefixed(value, 'B', 1)
  if (unit === 'virtual time') return formatPlain(value)
  if (!unit) return formatShort(value)
  if (unit === 's/s') return formatPrefixed(value, 's/s', 1e-12)
  return formatShort(value) + ' ' + unit
}

// Like formatQuantity(), without the unit, for axes.
function formatTick(value, unit) {
  if (unit === '%' || unit === 's' || unit === 'seconds' || unit === 'B' || unit === 'bytes') {
    return formatQuantity(value, unit)
  }
  return unit === 'virtual time' ? formatPlain(value) : formatShort(value)
}

// Formats the change from a to b: +12.3 %.
function formatChange(a, b) {
  if (!isNumber(a) || !isNumber(b)) return MISSING
  if (a === b) return 'equal'
  if (a === 0) return 'was 0'
  const change = (b - a) / Math.abs(a) * 100
  if (Math.abs(change) >= 1000) return '\u00d7' + formatPlain(Number((b / a).toPrecision(3)))
  return (change > 0 ? '+' : '') + formatPercent(change)
}

function nameOfPe(entry) {
  return typeof entry === 'number' ? 'PE ' + entry : String(entry)
}

function nameOfKp(entry) {
  if (entry === null || entry === undefined) return 'unknown'
  if (entry.label !== undefined) return String(entry.label)
  if (entry.kp === null || entry.kp === undefined) return nameOfPe(entry.pe)
  return 'KP ' + entry.kp + ' of PE ' + entry.pe
}
