// SPDX-License-Identifier: BSD-3-Clause
// What the page hears: keys that concern all views, the theme, the printer.

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && selection) {
    select(null)
    announce('The whole run')
  }
})
// Has the range that the keyboard chose read out, once no key has been pressed for a moment.
let announcing = 0
document.addEventListener('keyup', (event) => {
  if (!/^(Arrow|Page|Home|End)/.test(event.key) || !selection) return
  clearTimeout(announcing)
  announcing = setTimeout(() => {
    if (selection) announce(rangeText(report.runs[selection.run]))
  }, 400)
})
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', layoutAll)
for (const [happening, value] of [['beforeprint', true], ['afterprint', false]]) {
  window.addEventListener(happening, () => {
    printing = value
    document.documentElement.classList.toggle('printing', value)
    layoutAll()
  })
}

// Removes the links from findings to views that the page does not have.
function dropDeadLinks() {
  for (const link of document.querySelectorAll('.show')) {
    if (!document.getElementById(link.hash.slice(1))) link.remove()
  }
}
