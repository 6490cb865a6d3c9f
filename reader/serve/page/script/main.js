// The token of the address becomes a cookie, once; then the events of a run are shown.
async function begin () {
  const token = location.hash.slice(1)
  if (token) {
    const answer = await fetch('/session', { method: 'POST', body: token, headers: { 'Content-Type': 'text/plain' } })
    if (answer.ok) {
      history.replaceState(null, '', location.pathname + location.search)
    }
  }
  const main = document.getElementById('main')
  const list = main.appendChild(document.createElement('pre'))
  const state = main.appendChild(document.createElement('pre'))
  const events = new EventSource('/events?run=0')
  events.addEventListener('runs', event => { list.textContent = JSON.stringify(JSON.parse(event.data), null, 1) })
  events.addEventListener('state', event => { state.textContent = JSON.stringify(JSON.parse(event.data), null, 1) })
}
begin()
