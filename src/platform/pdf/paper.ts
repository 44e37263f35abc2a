/** Points; A4 is 595 by 842. */
export const page = { left: 40, right: 555, top: 44, bottom: 782, width: 515 } as const

export const ink = {
  text: '#1f2933',
  soft: '#52606d',
  faint: '#9aa5b1',
  line: '#d9dfe6',
  accent: '#334e68',
  warning: '#8a4b00',
  warningBack: '#fff6e5',
} as const
