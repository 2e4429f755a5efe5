// The source with what its lines cost; a line opens to its instructions.
import { useState } from 'preact/hooks';
import { Cell, Soft } from '../parts.jsx';
import { percent, whole } from '../format.js';

const Figures = ({ one, total }) => <>
  <Cell text={one.cycles ? percent(one.cycles / total) : ''} kind="number" />
  <Cell text={one.issued ? whole(one.issued) : ''} kind="number wide" />
  <Cell text={one.transactions ? whole(one.transactions) + ' / ' + whole(one.ideal) : ''} kind="number wide" />
  <Cell text={one.lanes ? one.lanes.toFixed(1) : ''} kind="number wide" />
  <Cell text={one.stall} />
  <Cell text={one.served} kind="wide" />
</>;

function Line({ line, total }) {
  const [open, setOpen] = useState(false);
  const turn = () => setOpen(!open);
  const key = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    turn();
  };
  // How much of all it cost is the strength of the colour behind its share.
  const strong = line.cycles ? { '--share': (line.cycles / total).toFixed(3) } : {};
  return <>
    <tr class="source" tabindex={0} aria-expanded={open} onClick={turn} onKeyDown={key} style={strong}>
      <Figures one={line} total={total} />
      <Cell text={(line.line || '') + (line.text ? ' | ' + line.text : '')} kind="code" />
    </tr>
    {open && line.instructions.map((one) => <>
      <tr class="instruction"><Figures one={one} total={total} /><Cell text={'    ' + one.text} kind="code" /></tr>
      {(one.lowered || []).map((text) => <tr class="lowered">
        <td class="number" /><td class="wide" colspan={3} /><td /><td class="wide" /><Cell text={'      > ' + text} kind="code" />
      </tr>)}
    </>)}
  </>;
}

export function listing({ listing: l }) {
  if (!l || !l.lines.length) return null;
  const columns = ['share', 'issued', 'lines / ideal', 'lanes', 'main stall', 'served by', l.file];
  const kind = (i) => (i < 4 ? 'number' : '') + ([1, 2, 3, 5].includes(i) ? ' wide' : '');
  return {
    title: 'Annotated source',
    body: <>
      <Soft>a line opens with a click or Enter; j and k go from line to line</Soft>
      <div class="scroll"><table class="listing">
        <thead><tr>{columns.map((title, i) => <th scope="col" class={kind(i)}>{title}</th>)}</tr></thead>
        <tbody>{l.lines.map((line) => <Line line={line} total={l.wave_cycles} />)}</tbody>
      </table></div>
    </>,
  };
}
