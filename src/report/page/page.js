// Draws a launch's report from the data that the page carries. No network, no library.
'use strict';
const whole_page = JSON.parse(document.getElementById('data').textContent);
// Of one launch: the page's own, or of an application's launches the one that was chosen.
let data, report, views;
function take(launch) {
  data = { curves: [], heat: [], roofline: null, listing: null, stalls: null, footprint: null, ...launch };
  report = data.report;
  views = report.views;
  if (!data.listing && views.lines) data.listing = listing_of(views.lines);
}
const colours = ['#4c8fdc', '#e0843d', '#56a769', '#c9544f', '#8f74c4', '#8a6a5c', '#d27fbb', '#7f8790',
                 '#b8b53e', '#3fb3c4', '#6f7fe0', '#b0a08c', '#dd5f8f'];

function make(tag, attributes = {}, ...children) {
  const svg = ['svg', 'path', 'line', 'rect', 'text', 'circle', 'g', 'title'].includes(tag);
  const node = svg ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'on') for (const [event, run] of Object.entries(value)) node.addEventListener(event, run);
    else if (value !== undefined) node.setAttribute(name, value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const percent = (share, digits = 1) => (100 * share).toFixed(digits) + ' %';
const whole = (value) => Math.round(value).toLocaleString('en');
function scaled(value, unit) {
  unit = unit.replace('bytes', 'B');
  for (const [scale, prefix] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
    if (Math.abs(value) >= scale) return (value / scale).toPrecision(3) + ' ' + prefix + unit;
  return value.toPrecision(3) + ' ' + unit;
}

const page = document.getElementById('page'), nav = make('nav', { 'aria-label': 'sections' });
let sections = [];
function section(title, ...content) {
  const id = 's' + (sections.length + 1);
  const node = make('section', { id, tabindex: -1 }, make('h2', {}, title), content);
  sections.push(node);
  nav.append(make('a', { href: '#' + id }, sections.length + ' ' + title));
  page.append(node);
}
function table(columns, rows) {
  const head = make('tr', {}, columns.map((c) => make('th', { class: (c.number ? 'number' : '') + (c.wide ? ' wide' : ''), scope: 'col' }, c.title)));
  return make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, head), make('tbody', {}, rows)));
}
const cell = (text, kind) => make('td', { class: kind }, text === null || text === undefined ? '' : String(text));
function track(...parts) {
  return make('td', { style: 'width:35%' }, make('div', { class: 'track' },
    parts.map(([share, kind]) => make('span', { class: kind, style: 'width:' + Math.max(0, Math.min(100, 100 * share)) + '%' }))));
}

// The lines of a JSON report as the page's listing shows them.
function listing_of(lines) {
  const served = (one) => {
    const levels = Object.entries(one.served || {}), all = levels.reduce((sum, level) => sum + level[1], 0);
    return levels.map(([name, count]) => name + ' ' + (100 * count / all).toFixed(0) + ' %').join(', ');
  };
  const row = (one) => ({ cycles: one.wave_cycles, issued: one.instructions, transactions: one.transactions, ideal: one.ideal_transactions,
    lanes: one.lane_instructions ? one.lane_instructions_active / one.lane_instructions : 0, stall: one.main_stall === 'none' ? '' : one.main_stall,
    served: served(one), text: one.text, line: one.line ? String(one.line) : '' });
  const shown = [...lines.lines].sort((a, b) => a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line);
  return { file: shown.length ? shown[0].file : '', wave_cycles: lines.wave_cycles, lines: shown.map((line) => ({ ...row(line),
    instructions: (lines.instructions || []).filter((one) => one.file === line.file && one.line === line.line).map(row) })) };
}

function head() {
  const launch = views.launch, time = report.time_ns;
  document.title = report.kernel + ' on ' + report.gpu;
  const theme = make('button', { on: { click: turn } }, 'light / dark (t)');
  document.getElementById('head').append(
    make('h1', {}, report.kernel + ' on ' + (launch.gpu_name || launch.gpu || report.gpu)),
    make('p', { class: 'soft' }, report.cycles === null ? 'not timed'
      : whole(report.cycles) + ' cycles, ' + scaled(time * 1e-3, 'us') + ' at ' + scaled(report.clock_hz, 'Hz')),
    nav, make('p', {}, theme, ' ', make('button', { on: { click: () => help.showModal() } }, 'keys (?)')));
}
function turn() {
  const dark = document.documentElement.dataset.theme !== 'dark';
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}
function place(at) {
  if (!at) return null;
  return make('p', { class: 'code' }, at.file + ':' + at.line + '  ' + (at.text || ''));
}

function bound() {
  const b = views.bound;
  if (!b) return;
  section('What bounds it', make('p', { class: 'verdict' }, make('b', {}, b.title), ': ' + b.text), place(b.at),
    b.also.map((one) => make('p', {}, 'also ', make('b', {}, one.title), ': ' + one.text)));
}
function advice() {
  if (!views.advice) return;
  const none = make('p', {}, 'No rule has anything to say that would save 5 % of the time.');
  section('What would help', views.advice.length === 0 ? none : views.advice.map((one) =>
    make('div', { class: 'card' }, make('p', {}, make('strong', {}, 'about ' + percent(one.saved_share, 0) + ' less time'),
      ' (' + (one.before_cycles / one.cycles).toFixed(1) + ' times as fast): ', make('b', {}, one.title)),
      make('p', {}, one.action), make('p', { class: 'soft' }, 'because ' + one.evidence), place(one.at),
      make('p', { class: 'soft' }, one.page))));
}
function whatIf() {
  const w = views.what_if;
  if (!w) return;
  if (w.missing) return section('With one thing changed', make('p', {}, 'cannot be told: ' + w.missing));
  const rows = w.answers.filter((one) => one.by !== 'nothing').map((one) =>
    make('tr', {}, cell(one.title), track([one.saved_share, 'save']), cell(percent(one.saved_share), 'number'),
      cell(whole(one.cycles), 'number wide')));
  section('With one thing changed',
    w.timing_dependent ? make('p', {}, 'What waves do depends on when: all of this is played as it was recorded.') : null,
    table([{ title: 'question' }, { title: '' }, { title: 'saves', number: true }, { title: 'cycles left', number: true, wide: true }], rows));
}
function light() {
  const b = views.bound;
  if (!b) return;
  section('Speed of light', make('p', { class: 'soft' }, 'how long the busiest unit of each resource worked; the narrow bar is the mean'),
    table([{ title: 'resource' }, { title: '' }, { title: 'busiest', number: true }, { title: 'mean', number: true }, { title: 'moved, of what it could', wide: true }],
      b.resources.map((one) => make('tr', { title: one.meaning }, cell(one.title), track([one.busiest, ''], [one.mean, 'mean']),
        cell(percent(one.busiest), 'number'), cell(percent(one.mean), 'number'),
        cell(one.ceiling ? scaled(one.achieved, one.unit) + ' of ' + scaled(one.ceiling, one.unit) : '', 'wide')))));
}

// A picture with axes; x and y give places for values.
function chart(width, height, draw, label) {
  const svg = make('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label });
  draw(svg);
  return svg;
}
const label = (x, y, text, anchor = 'start') => make('text', { x, y, 'text-anchor': anchor }, text);

function roofline() {
  const r = data.roofline;
  if (!r || r.levels.length === 0) return;
  const W = 900, H = 360, left = 70, bottom = 40, right = 20, top = 14;
  const points = r.levels.filter((one) => one.bytes > 0).map((one) => ({ ...one, x: r.operations / one.bytes }));
  if (points.length === 0 || r.operations === 0) return;
  const xs = points.flatMap((one) => [one.x, r.peak / one.ceiling]);
  const x0 = Math.log10(Math.min(...xs)) - .5, x1 = Math.log10(Math.max(...xs)) + .5;
  const y1 = Math.log10(r.peak) + .3, y0 = Math.min(Math.log10(r.achieved) - .7, y1 - 2);
  const X = (v) => left + (Math.log10(v) - x0) / (x1 - x0) * (W - left - right);
  const Y = (v) => H - bottom - (Math.log10(v) - y0) / (y1 - y0) * (H - bottom - top);
  section('Roofline by memory level', make('p', { class: 'soft' },
    'arithmetic of lanes a byte that the level moved, against what its bandwidth and the vector units allow; each point is this launch'),
    chart(W, H, (svg) => {
      for (let d = Math.ceil(x0); d <= x1; d++)
        svg.append(make('line', { class: 'axis', x1: X(10 ** d), x2: X(10 ** d), y1: top, y2: H - bottom }), label(X(10 ** d), H - bottom + 16, '10^' + d, 'middle'));
      for (let d = Math.ceil(y0); d <= y1; d++)
        svg.append(make('line', { class: 'axis', x1: left, x2: W - right, y1: Y(10 ** d), y2: Y(10 ** d) }), label(left - 6, Y(10 ** d) + 4, scaled(10 ** d, ''), 'end'));
      svg.append(label(W / 2, H - 6, 'lane operations a byte', 'middle'), label(4, 12, 'lane operations a second'));
      points.forEach((one, i) => {
        const colour = colours[i % colours.length], knee = r.peak / one.ceiling, from = 10 ** x0;
        svg.append(make('path', { class: 'roof', style: 'stroke:' + colour,
          d: `M${X(from)} ${Math.min(H - bottom, Y(from * one.ceiling))}L${X(knee)} ${Y(r.peak)}L${W - right} ${Y(r.peak)}` }));
        svg.append(make('circle', { cx: X(one.x), cy: Y(r.achieved), r: 5, style: 'fill:' + colour }, make('title', {}, one.title)));
      });
    }, 'roofline'),
    make('div', { class: 'legend' }, points.map((one, i) => make('span', {}, make('i', { style: 'background:' + colours[i % colours.length] }),
      one.title + ': ' + one.x.toPrecision(3) + ' a byte, ' + scaled(one.bytes / r.seconds, 'B/s') + ' of ' + scaled(one.ceiling, 'B/s')))));
}

function timeline() {
  const r = views.residency;
  if (!r || r.timeline.length === 0) return;
  const W = 900, H = 240, left = 60, bottom = 30, top = 10;
  const end = report.cycles, most = Math.max(1, ...r.timeline.map((one) => one.mean_waves));
  const X = (v) => left + v / end * (W - left - 10), Y = (v) => H - bottom - v / most * (H - bottom - top);
  const stalls = data.stalls, content = [];
  content.push(chart(W, H, (svg) => {
    svg.append(make('line', { class: 'axis', x1: left, x2: W - 10, y1: H - bottom, y2: H - bottom }));
    if (stalls) {
      const floor = new Array(stalls.buckets).fill(0);
      stalls.reasons.forEach((one, i) => {
        let up = '', down = '';
        one.waves.forEach((waves, k) => {
          const a = X(k * stalls.bucket_cycles), b = X(Math.min(end, (k + 1) * stalls.bucket_cycles)), low = Y(floor[k]);
          floor[k] += waves;
          up += `L${a} ${Y(floor[k])}L${b} ${Y(floor[k])}`;
          down = `L${b} ${low}L${a} ${low}` + down;
        });
        svg.append(make('path', { d: 'M' + up.slice(1) + down + 'Z', style: 'fill:' + colours[i % colours.length] }, make('title', {}, one.name)));
      });
    } else {
      let d = `M${X(0)} ${Y(0)}`;
      for (const one of r.timeline)
        d += `L${X(one.begin_cycle)} ${Y(one.mean_waves)}L${X(one.begin_cycle + one.cycles)} ${Y(one.mean_waves)}`;
      svg.append(make('path', { class: 'area', d: d + `L${X(end)} ${Y(0)}Z` }));
    }
    svg.append(label(left - 6, Y(most) + 8, whole(most), 'end'), label(left - 6, Y(0), '0', 'end'), label(left, H - 10, '0'), label(W - 10, H - 10, whole(end) + ' cycles', 'end'));
  }, 'resident waves over the time'));
  if (stalls) content.push(make('div', { class: 'legend' }, stalls.reasons.map((one, i) =>
    make('span', {}, make('i', { style: 'background:' + colours[i % colours.length] }), one.name))));
  section('Resident ' + r.wave + 's', make('p', { class: 'soft' }, `${r.achieved_waves.toFixed(1)} a ${r.unit} on average, ${r.theoretical_waves} can be, ${r.wave_slots} have slots; ` +
    `${r.units_used} of ${r.units} ${r.unit}s used` + (stalls ? '; by what they did' : '')), content);
}

function curves() {
  if (!data.curves.length) return;
  const W = 560, H = 200, left = 44, bottom = 26, top = 10;
  section('Occupancy', make('p', { class: 'soft' }, 'waves that a unit holds, by what a group needs; the mark is this launch'), make('div', { class: 'beside' }, data.curves.map((curve) => {
    const last = curve.rows[curve.rows.length - 1][0], most = Math.max(1, ...curve.rows.map((row) => row[1]));
    const X = (v) => left + v / last * (W - left - 10), Y = (v) => H - bottom - v / most * (H - bottom - top);
    let d = '', before = 0;
    curve.rows.forEach(([value, waves], i) => { d += (i ? 'L' + X(value) + ' ' + Y(before) + 'L' : 'M') + X(value) + ' ' + Y(waves); before = waves; });
    return make('div', {}, make('p', {}, curve.label), chart(W, H, (svg) => {
      svg.append(make('line', { class: 'axis', x1: left, x2: W - 10, y1: H - bottom, y2: H - bottom }), make('path', { class: 'curve', d }));
      svg.append(label(left - 6, Y(most) + 8, most, 'end'), label(W - 10, H - 8, whole(last), 'end'));
      const here = curve.rows.filter((row) => row[0] <= curve.current).pop();
      if (curve.current && here) svg.append(make('circle', { class: 'point', cx: X(curve.current), cy: Y(here[1]), r: 5 }), label(X(curve.current) + 7, Y(here[1]) + 4, whole(curve.current)));
    }, curve.label));
  })));
}

function footprint() {
  const f = data.footprint;
  if (!f) return;
  const W = 560, H = 240, left = 64, bottom = 30, top = 14, right = 14;
  const size = (bytes) => bytes >= 2 ** 20 ? +(bytes / 2 ** 20).toFixed(1) + ' MiB' : bytes >= 1024 ? +(bytes / 1024).toFixed(1) + ' KiB' : bytes + ' B';
  section('Cache footprint', make('p', { class: 'soft' }, 'the share of the touched lines that a cache of so many bytes would still have, wherever they lie in it; ' +
    'the marks are caches that this GPU has. Of ' + whole(f.touches) + ' touches of lines of ' + f.line_bytes + ' bytes' +
    (f.left_out ? '; ' + whole(f.left_out) + ' later ones are left out' : '')), make('div', { class: 'beside' }, f.curves.map((curve) => {
    const caches = curve.caches.filter((one) => one.bytes > 0), rows = curve.rows.length ? curve.rows : [[f.line_bytes, 0]];
    const x0 = Math.log2(f.line_bytes), x1 = Math.max(x0 + 4, Math.log2(rows[rows.length - 1][0]), ...caches.map((one) => Math.log2(one.bytes))) + .5;
    const X = (bytes) => left + (Math.log2(bytes) - x0) / (x1 - x0) * (W - left - right), Y = (share) => H - bottom - share * (H - bottom - top);
    const kept = (bytes) => rows.filter((row) => row[0] <= bytes).reduce((most, row) => Math.max(most, row[1]), 0);
    return make('div', {}, make('p', {}, curve.title), chart(W, H, (svg) => {
      for (const share of [0, .5, 1])
        svg.append(make('line', { class: 'axis', x1: left, x2: W - right, y1: Y(share), y2: Y(share) }), label(left - 6, Y(share) + 5, 100 * share + ' %', 'end'));
      for (let d = Math.ceil(x0 / 4) * 4; d <= x1; d += x1 - x0 > 16 ? 8 : 4) svg.append(label(X(2 ** d), H - 8, size(2 ** d), 'middle'));
      let d = 'M' + X(f.line_bytes) + ' ' + Y(rows[0][1]), before = rows[0][1];
      for (const [bytes, share] of rows) { d += 'L' + X(bytes) + ' ' + Y(before) + 'L' + X(bytes) + ' ' + Y(share); before = share; }
      svg.append(make('path', { class: 'curve', d: d + 'L' + (W - right) + ' ' + Y(before) }));
      for (const one of caches) svg.append(make('line', { class: 'mark', x1: X(one.bytes), x2: X(one.bytes), y1: top, y2: H - bottom }),
        make('circle', { class: 'point', cx: X(one.bytes), cy: Y(kept(one.bytes)), r: 5 }, make('title', {}, one.title)));
    }, 'cache footprint ' + curve.title), caches.map((one) => make('p', { class: 'soft' }, one.title + ', ' + size(one.bytes) + ': ' + percent(kept(one.bytes)) + ' would be there')));
  })));
}

function heat() {
  if (!data.heat.length) return;
  section('Units side by side', make('p', { class: 'soft' }, 'each cell is a unit; the stronger its colour, the busier'), data.heat.map((one) =>
    make('div', {}, make('p', {}, one.title + ' ', make('span', { class: 'soft' }, 'busiest ' + percent(Math.max(...one.shares)) + ', mean ' +
      percent(one.shares.reduce((a, b) => a + b, 0) / one.shares.length))),
      make('div', { class: 'heat' }, one.shares.map((share, i) => make('i', { title: one.title + ' ' + i + ': ' + percent(share), style: `background:rgba(var(--heat),${share})` }))))));
}

function listing() {
  const l = data.listing;
  if (!l || !l.lines.length) return;
  const total = l.wave_cycles, body = make('tbody', {});
  const figures = (one) => [cell(one.cycles ? percent(one.cycles / total) : '', 'number'), cell(one.issued ? whole(one.issued) : '', 'number wide'),
    cell(one.transactions ? whole(one.transactions) + ' / ' + whole(one.ideal) : '', 'number wide'), cell(one.lanes ? one.lanes.toFixed(1) : '', 'number wide'),
    cell(one.stall || '', ''), cell(one.served || '', 'wide')];
  for (const line of l.lines) {
    const below = [];
    const open = () => {
      if (below.length) { below.splice(0).forEach((row) => row.remove()); source.setAttribute('aria-expanded', 'false'); return; }
      let after = source;
      for (const one of line.instructions) {
        const rows = [make('tr', { class: 'instruction' }, figures(one), cell('    ' + one.text, 'code'))];
        for (const text of one.lowered || []) rows.push(make('tr', { class: 'lowered' }, make('td', { colspan: 6 }), cell('      > ' + text, 'code')));
        for (const row of rows) { after.after(row); after = row; below.push(row); }
      }
      source.setAttribute('aria-expanded', 'true');
    };
    const source = make('tr', { class: 'source', tabindex: 0, 'aria-expanded': 'false', on: { click: open, keydown: (event) => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); open(); } } } },
      figures(line), cell((line.line || '') + (line.text ? ' | ' + line.text : ''), 'code'));
    body.append(source);
  }
  const columns = ['share', 'issued', 'lines / ideal', 'lanes', 'main stall', 'served by', l.file];
  section('Annotated source', make('p', { class: 'soft' }, 'a line opens with a click or Enter; j and k go from line to line'),
    make('div', { class: 'scroll' }, make('table', {}, make('thead', {}, make('tr', {}, columns.map((title, i) =>
      make('th', { scope: 'col', class: (i < 4 ? 'number' : '') + ([1, 2, 3, 5].includes(i) ? ' wide' : '') }, title)))), body)));
}
function counters() {
  if (!views.counters) return;
  section('Counters', make('details', {}, make('summary', {}, 'all ' + views.counters.length),
    table([{ title: 'counter' }, { title: 'value', number: true }, { title: 'unit' }, { title: 'meaning' }],
      views.counters.map((one) => make('tr', {}, cell(one.name), cell(whole(one.value), 'number'), cell(one.unit), cell(one.meaning))))));
}

const help = make('dialog', {}, make('p', {}, '1 to 9: go to a section · j, k: next, previous source line · Enter: open it · t: light or dark · ?: this · Esc: close'),
  make('form', { method: 'dialog' }, make('button', {}, 'close')));
document.body.append(help);
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === 't') turn();
  if (event.key === '?') help.showModal();
  const number = Number(event.key);
  if (number >= 1 && number <= sections.length) { sections[number - 1].scrollIntoView(); sections[number - 1].focus(); }
  if (event.key !== 'j' && event.key !== 'k') return;
  const rows = [...document.querySelectorAll('tr.source')];
  if (!rows.length) return;
  const at = rows.indexOf(document.activeElement), next = at < 0 ? 0 : at + (event.key === 'j' ? 1 : -1);
  rows[Math.max(0, Math.min(rows.length - 1, next))].focus();
});
const parts = [bound, advice, whatIf, light, roofline, timeline, curves, footprint, heat, listing, counters];

// The page over all launches of an application; below it the report of the launch that is chosen.
function application(app, reports) {
  document.title = app.command.join(' ');
  const colour = (kernel) => colours[kernel % colours.length];
  document.getElementById('head').append(make('h1', {}, app.command.join(' ')),
    make('p', { class: 'soft' }, whole(app.launches) + ' launches of ' + app.kernels.length + ' kernels' +
      (app.time_ns ? ', ' + scaled(app.time_ns * 1e-9 * 1e6, 'us') + ' on the modelled GPU' : ', not timed') +
      (app.failed ? ', ' + app.failed + ' failed' : '') + (app.violations ? ', ' + app.violations + ' violations' : '')),
    nav, make('p', {}, make('button', { on: { click: turn } }, 'light / dark (t)'), ' ', make('button', { on: { click: () => help.showModal() } }, 'keys (?)')));
  const link = (name, text) => reports[name] ? make('button', { on: { click: () => choose(name) } }, text || name) : text || name;
  section('Kernels', table([{ title: '' }, { title: 'kernel' }, { title: 'GPU' }, { title: 'launches', number: true }, { title: '' }, { title: 'time', number: true },
    { title: 'bound by', wide: true }], app.kernels.map((one, i) => make('tr', {}, make('td', {}, make('i', { class: 'key', style: 'background:' + colour(i) })),
    cell(one.kernel), cell(one.gpu), cell(whole(one.launches), 'number'), track([app.time_ns ? (one.time_ns || 0) / app.time_ns : 0, '']),
    cell(one.time_ns === null ? 'not timed' : scaled(one.time_ns * 1e-3, 'us'), 'number'),
    cell(Object.entries(one.bound).map(([cause, count]) => cause + (Object.keys(one.bound).length > 1 ? ' (' + count + ')' : '')).join(', '), 'wide')))));
  const total = app.timeline.reduce((sum, one) => sum + one[1], 0);
  if (total > 0) {
    const W = 900, H = 46;
    let at = 0;
    section('Launches in their order', make('p', { class: 'soft' }, 'each as long as its modelled time' + (app.left_out ? '; ' + app.left_out + ' further ones are not drawn' : '')),
      chart(W, H, (svg) => app.timeline.forEach(([kernel, time, name]) => {
        const wide = time / total * W, here = at;
        at += wide;
        if (wide >= .2) svg.append(make('rect', { x: here.toFixed(1), y: 4, width: wide.toFixed(2), height: 38, style: 'fill:' + colour(kernel) + (reports[name] ? ';cursor:pointer' : ''),
          on: { click: () => reports[name] && choose(name) } }, make('title', {}, app.kernels[kernel].kernel + ': ' + scaled(time * 1e-3, 'us'))));
      }), 'launches'));
  }
  section('Those that cost most', table([{ title: 'report' }, { title: 'launches', number: true }, { title: '' }, { title: 'longest', number: true }, { title: 'what would help', wide: true }],
    app.shown.map((one) => {
      const of = reports[one.report].views, first = (of.advice || [])[0];
      const help = of.what_if && of.what_if.missing ? 'cannot be told: ' + of.what_if.missing
        : first ? first.title + ': about ' + percent(first.saved_share, 0) + ' less time' : of.bound ? 'bound by ' + of.bound.title : '';
      return make('tr', {}, make('td', {}, link(one.report)), cell(whole(one.launches), 'number'), track([app.time_ns ? one.all_ns / app.time_ns : 0, '']),
        cell(one.time_ns ? scaled(one.time_ns * 1e-3, 'us') : 'not timed', 'number'), cell(help, 'wide'));
    })));
  const own = sections.length;
  function choose(name) {
    sections.splice(own).forEach((one) => one.remove());
    [...nav.children].slice(own).forEach((one) => one.remove());
    take({ report: reports[name] });
    section(name, make('p', { class: 'soft' }, report.gpu + (report.cycles ? ': ' + whole(report.cycles) + ' cycles, ' + scaled(report.time_ns * 1e-3, 'us') : ', not timed')));
    for (const draw of parts) draw();
    sections[own].scrollIntoView();
  }
  if (app.shown.length) {
    choose(app.shown[0].report);
    scrollTo(0, 0);
  }
}

// The page of a search: each dimension by itself, each two as a map of the best time that the others allow.
function tuning(search) {
  document.title = 'tuning ' + search.title;
  const good = search.rows.filter((row) => !row.error && row.time_ns !== null).sort((a, b) => a.time_ns - b.time_ns);
  const time = (ns) => scaled(ns * 1e-9 * 1e6, 'us'), best = good.length ? good[0].time_ns : 0;
  document.getElementById('head').append(make('h1', {}, search.title),
    make('p', { class: 'soft' }, whole(search.rows.length) + ' points on ' + search.gpu + ', ' + whole(good.length) + ' timed' +
      (good.length ? '; the fastest takes ' + time(best) + ', the slowest ' + (good[good.length - 1].time_ns / best).toFixed(2) + ' times as long' : '')),
    nav, make('p', {}, make('button', { on: { click: turn } }, 'light / dark (t)'), ' ', make('button', { on: { click: () => help.showModal() } }, 'keys (?)')));
  const shown = 50, axes = search.axes.filter((axis) => axis.values.length > 1), names = search.axes.map((axis) => axis.name);
  const least = (choose) => { const row = good.find(choose); return row ? row.time_ns : null; };
  const point = (row) => names.map((name) => name + '=' + row[name]).join('  ');
  section('The fastest', good.length ? make('p', { class: 'verdict code' }, point(good[0])) : make('p', {}, 'No point could be timed.'));
  if (good.length && axes.length) section('Each dimension', make('p', { class: 'soft' }, 'the best time with each value, whatever the others are; the longer the bar, the faster'),
    make('div', { class: 'beside' }, axes.map((axis) => make('div', {}, table([{ title: axis.name }, { title: '' }, { title: 'best', number: true }, { title: 'times', number: true }],
      axis.values.map((value) => {
        const ns = least((row) => row[axis.name] === value);
        return make('tr', {}, cell(value), track([ns ? best / ns : 0, ns === best ? 'save' : '']), cell(ns ? time(ns) : '', 'number'), cell(ns ? (ns / best).toFixed(2) : '', 'number'));
      }))))));
  const pairs = axes.flatMap((a, i) => axes.slice(i + 1).map((b) => [a, b]));
  if (good.length && pairs.length) section('Each two dimensions', make('p', { class: 'soft' }, 'times the fastest, the best that the other dimensions allow; the stronger the colour, the faster; empty where no point could be timed'),
    pairs.map(([down, across]) => make('div', { class: 'scroll' }, make('table', { class: 'map' },
      make('caption', {}, down.name + ' by ' + across.name),
      make('thead', {}, make('tr', {}, make('th', {}, ''), across.values.map((value) => make('th', { scope: 'col' }, value)))),
      make('tbody', {}, down.values.map((y) => make('tr', {}, make('th', { scope: 'row' }, y), across.values.map((x) => {
        const ns = least((row) => row[down.name] === y && row[across.name] === x);
        return make('td', { style: ns ? `background:rgba(var(--heat),${(.75 * (best / ns) ** 2).toFixed(3)})` : undefined, title: ns ? time(ns) : 'none' }, ns ? (ns / best).toFixed(2) : '');
      }))))))));
  section('Points', make('p', { class: 'soft' }, good.length > shown ? 'the ' + shown + ' fastest of ' + whole(good.length) : ''),
    table([{ title: 'time', number: true }, { title: 'times', number: true }, ...names.map((title) => ({ title })), { title: 'bound by', wide: true }],
      good.slice(0, shown).map((row) => make('tr', {}, cell(time(row.time_ns), 'number'), cell((row.time_ns / best).toFixed(2), 'number'),
        names.map((name) => cell(row[name])), cell(row.bound, 'wide')))));
  const failed = search.rows.filter((row) => row.error);
  if (failed.length) section('Points that failed', table([...names.map((title) => ({ title })), { title: 'error' }],
    failed.slice(0, shown).map((row) => make('tr', {}, names.map((name) => cell(row[name])), cell(row.error.split('\n')[0])))));
}

document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
if (whole_page.tuning) {
  tuning(whole_page.tuning);
} else if (whole_page.application) {
  application(whole_page.application, whole_page.reports);
} else {
  take(whole_page);
  head();
  for (const draw of parts) draw();
}
