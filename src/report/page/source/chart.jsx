// A picture with axes. It is drawn for the width that it has, so that its words are as large on a phone as
// anywhere.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

const few = 420;  // where fewer pixels are there, every other word of an axis stays away

// `draw` has the frame: {left, right, top, bottom} in pixels, x from left to right, y from top to bottom.
export function Chart({ height, label, draw, margins = {}, attributes = {}, readFrame }) {
  const box = useRef(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setWidth(Math.max(200, Math.floor(box.current.clientWidth)));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const m = { left: 56, right: 12, top: 14, bottom: 26, ...margins };
  const frame = { left: m.left, right: width - m.right, top: m.top, bottom: height - m.bottom, narrow: width < few };
  if (readFrame) readFrame(frame);
  return (
    <div class="chart" ref={box} style={{ height: height + 'px' }}>
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} {...attributes}>
          {draw(frame)}
        </svg>
      )}
    </div>
  );
}

// Ticks at `values`; `text` may say nothing for one. `grid` draws lines over the whole picture.
export function AxisX({ frame, scale, values, text, title, grid }) {
  return (
    <g class="axis">
      <line x1={frame.left} x2={frame.right} y1={frame.bottom} y2={frame.bottom} />
      {values.map((value, i) => {
        const x = scale(value), anchor = x > frame.right - 24 ? 'end' : x < frame.left + 12 && i === 0 ? 'start' : 'middle';
        return (
          <g>
            <line class={grid ? 'grid' : ''} x1={x} x2={x} y1={grid ? frame.top : frame.bottom} y2={frame.bottom + 4} />
            <text x={x} y={frame.bottom + 17} text-anchor={anchor}>{text(value)}</text>
          </g>
        );
      })}
      {title && <text class="title" x={(frame.left + frame.right) / 2} y={frame.bottom + 34} text-anchor="middle">{title}</text>}
    </g>
  );
}

export function AxisY({ frame, scale, values, text, title }) {
  return (
    <g class="axis">
      {values.map((value) => (
        <g>
          <line class="grid" x1={frame.left} x2={frame.right} y1={scale(value)} y2={scale(value)} />
          <text x={frame.left - 6} y={scale(value) + 4} text-anchor="end">{text(value)}</text>
        </g>
      ))}
      {title && <text class="title" x={4} y={12}>{title}</text>}
    </g>
  );
}
