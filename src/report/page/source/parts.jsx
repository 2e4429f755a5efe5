// What all views are put together of.
import { useState } from 'preact/hooks';

export const Soft = ({ children }) => <p class="soft">{children}</p>;

// `columns`: {title, number, wide}; wide ones are not shown on a phone.
export function Table({ columns, children }) {
  const kind = (c) => (c.number ? 'number' : '') + (c.wide ? ' wide' : '');
  return (
    <div class="scroll" tabindex={0} role="group" aria-label="table">
      <table>
        <thead><tr>{columns.map((c) => <th class={kind(c)} scope="col">{c.title}</th>)}</tr></thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export const Cell = ({ text, kind }) => <td class={kind}>{text === null || text === undefined ? '' : String(text)}</td>;

// Bars over each other: [share, class].
export function Track({ parts }) {
  const wide = (share) => Math.max(0, Math.min(100, 100 * share)) + '%';
  return (
    <td class="bar"><div class="track">
      {parts.map(([share, kind]) => <span class={kind} style={{ width: wide(share) }} />)}
    </div></td>
  );
}

// A source line that a finding is about.
export const Place = ({ at }) => (at ? <p class="code">{at.file}:{at.line}  {at.text || ''}</p> : null);

export const Key = ({ fill }) => <i class="key" style={{ background: fill }} />;

// A place among `count` things that pointer, touch and arrow keys move; `words` says what is there. What it
// returns are the attributes of the element that is pointed at; `find` tells the place of a pointer.
export function useCursor(count, find, words) {
  const [at, move] = useState(-1);
  const go = (event) => move(Math.max(-1, Math.min(count - 1, find(event))));
  const key = (event) => {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageDown: 10, PageUp: -10 };
    let next;
    if (event.key in steps) next = at + steps[event.key];
    else if (event.key === 'Home') next = 0;
    else if (event.key === 'End') next = count - 1;
    else return;
    event.preventDefault();
    move(Math.max(0, Math.min(count - 1, next)));
  };
  return [at, {
    tabindex: 0, role: 'slider', 'aria-valuemin': 0, 'aria-valuemax': count - 1, 'aria-valuenow': Math.max(0, at),
    'aria-valuetext': at < 0 ? 'arrow keys read it' : words(at),
    onPointerMove: go, onPointerDown: go, onPointerLeave: (event) => event.pointerType === 'mouse' && move(-1),
    onKeyDown: key,
  }];
}
