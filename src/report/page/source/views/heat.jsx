// Each unit of each resource beside the others: compute units, banks, slices, channels.
import { max, mean } from 'd3-array';
import { Soft, useCursor } from '../parts.jsx';
import { percent } from '../format.js';

const many = 150;  // units, of which each gets a smaller cell

function Units({ one }) {
  // Of the busiest one: what is seen here is whether they share the work. How busy they are, speed of light says.
  const most = max(one.shares);
  const words = (at) => `${at}: ${percent(one.shares[at])}`;
  const find = (event) => {
    const cell = event.target.closest('i');
    return cell ? [...event.currentTarget.children].indexOf(cell) : -1;
  };
  const [at, cursor] = useCursor(one.shares.length, find, words);
  return (
    <div class="units">
      <p>{one.title} <span class="soft">busiest {percent(most)}, mean {percent(mean(one.shares))}
        {at >= 0 ? '; number ' + words(at) : ''}</span></p>
      <div class={one.shares.length > many ? 'heat small' : 'heat'} aria-label={one.title} {...cursor}>
        {one.shares.map((share, i) => <i class={at === i ? 'here' : ''} style={{ background: `rgba(var(--heat),${(share / most).toFixed(3)})` }} />)}
      </div>
    </div>
  );
}

export function heat({ heat: list }) {
  if (!list.length) return null;
  const used = list.filter((one) => max(one.shares) > 0), idle = list.filter((one) => max(one.shares) === 0);
  return {
    title: 'Units side by side',
    body: <>
      <Soft>each cell is a unit, coloured by how busy it was beside the busiest one; point at one, or go through them with the arrow keys</Soft>
      <p class="ramp soft">idle <span /> as the busiest</p>
      {used.map((one) => <Units one={one} />)}
      {idle.length > 0 && <Soft>did nothing: {idle.map((one) => one.title).join(', ')}</Soft>}
    </>,
  };
}
