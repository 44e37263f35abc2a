// Strokes of 24 × 24 icons: only those that pages use.
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  order: 'M5 4h14v16l-3-2-2 2-2-2-2 2-2-2-3 2zM9 9h6M9 13h6',
  kit: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  customer: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6',
  report: 'M6 3h9l4 4v14H6zM14 3v5h5M9 17v-3M12 17v-6M15 17v-2',
  numbers: 'M4 5v15h16M8 9h10M8 13h7M8 17h3',
  upload: 'M12 16V5M8 9l4-4 4 4M5 19h14',
  download: 'M12 5v11M8 12l4 4 4-4M5 19h14',
  billing: 'M3 6h18v12H3zM3 10h18M7 15h3',
  key: 'M8 18a4 4 0 1 1 3.5-6H20v3h-2v2h-3v-2h-3.5A4 4 0 0 1 8 18z',
  webhook: 'M9 8a3 3 0 1 1 4 2.8L10 16M7 13a3 3 0 1 0 3 4h6M17 19a3 3 0 1 0-1-5.8L13 8',
  event: 'M4 12h4l3-8 3 16 2-8h4',
  sandbox: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 15h8',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM19 12l2-1-1-3-2 .3-1.5-1.5.3-2-3-1-1 2h-1.6l-1-2-3 1 .3 2L6 8.3 4 8l-1 3 2 1-2 1 1 3 2-.3 1.5 1.5-.3 2 3 1 1-2h1.6l1 2 3-1-.3-2 1.5-1.5 2 .3 1-3z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 13l4 4L19 7',
  cross: 'M6 6l12 12M18 6L6 18',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.5',
  chevron: 'M9 6l6 6-6 6',
  down: 'M6 9l6 6 6-6',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  moon: 'M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z',
  auto: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  building: 'M5 21V4h9v17M14 9h5v12M8 8h3M8 12h3M8 16h3M3 21h18',
  pack: 'M3 8l3-4h12l3 4v12H3zM3 8h18M12 4v4M9 13h6',
  scan: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M4 12h16',
  review: 'M4 5h16v11H9l-5 4zM9 10l2 2 4-4',
  link: 'M10 14l4-4M9 17l-1 1a4 4 0 0 1-5-6l3-3M15 7l1-1a4 4 0 0 1 5 6l-3 3',
  mail: 'M3 6h18v12H3zM3 7l9 7 9-7',
  repeat: 'M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.5M4 12h.5M4 18h.5',
  shield: 'M12 3l8 3v6c0 5-3 8-8 9-5-1-8-4-8-9V6zM9 12l2 2 4-4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c.5-4 3-6 7-6s6.500 2 7 6M16 4a3.500 3.500 0 0 1 0 7M18 14c2.500.6 3.700 3 4 6',
  book: 'M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 18a2 2 0 0 1 2-2h12M9 8h6',
} as const

export type IconName = keyof typeof PATHS

/** Decoration beside a word; an icon alone needs a label on its button. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
