// Draws a report from the data that the page carries: of a launch, of an application's launches, of a search.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { applicationPage } from './pages/application.jsx';
import { launchPage } from './pages/launch.jsx';
import { tuningPage } from './pages/tuning.jsx';

const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)');
function turn() {
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
}

// Keys that belong to the whole page; charts have their own.
function onKey(event, help) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === 't') turn();
  if (event.key === '?') help.showModal();
  const number = Number(event.key), sections = document.querySelectorAll('main section');
  if (number >= 1 && number <= sections.length) {
    sections[number - 1].scrollIntoView();
    sections[number - 1].focus();
  }
  if (event.key !== 'j' && event.key !== 'k') return;
  const rows = [...document.querySelectorAll('tr.source')];
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement), next = at < 0 ? 0 : at + (event.key === 'j' ? 1 : -1);
  rows[Math.max(0, Math.min(rows.length - 1, next))].focus();
}

function Page({ data }) {
  const help = useRef(null);
  const [chosen, setChosen] = useState(data.application && data.application.shown.length ? data.application.shown[0].report : null);
  const clicked = useRef(false);
  const choose = (name) => { clicked.current = true; setChosen(name); };
  const page = data.tuning ? tuningPage(data.tuning) : data.application ? applicationPage(data, chosen, choose) : launchPage(data);
  useEffect(() => {
    document.title = page.name;
    // The browser looked for the place of an address before it was drawn.
    if (/^#s[0-9]+$/.test(location.hash)) document.querySelector(location.hash)?.scrollIntoView();
    const listen = (event) => onKey(event, help.current);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  useEffect(() => {
    const first = document.querySelector('main section.first');
    if (clicked.current && first) first.scrollIntoView();
  }, [chosen]);
  return <>
    <header>
      <h1>{page.title}</h1>
      <p class="soft">{page.about}</p>
      <nav aria-label="sections">{page.sections.map((one, i) => <a href={'#s' + (i + 1)}>{i + 1} {one.title}</a>)}</nav>
      <p><button onClick={turn}>light / dark (t)</button> <button onClick={() => help.current.showModal()}>keys (?)</button></p>
    </header>
    <main>
      {page.sections.map((one, i) => (
        <section key={one.key || one.title} id={'s' + (i + 1)} tabindex={-1} class={one.first ? 'first' : ''}><h2>{one.title}</h2>{one.body}</section>
      ))}
    </main>
    <dialog ref={help}>
      <p>1 to 9: go to a section · Tab and arrow keys: read a picture · j, k: next, previous source line · Enter: open it · t: light or
        dark · ?: this · Esc: close</p>
      <form method="dialog"><button>close</button></form>
    </dialog>
  </>;
}

root.dataset.theme = dark.matches ? 'dark' : 'light';
dark.addEventListener('change', () => { root.dataset.theme = dark.matches ? 'dark' : 'light'; });
render(<Page data={JSON.parse(document.getElementById('data').textContent)} />, document.getElementById('app'));
