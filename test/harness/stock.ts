let last = 0

/** A GTIN that no other test has. */
export function aGtin(): string {
  const body = `0${String(process.pid % 10_000).padStart(4, '0')}${String(Date.now() % 100_000).padStart(5, '0')}${String(++last % 1000).padStart(3, '0')}`
  const sum = [...body].reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

/** A day so many days from now. */
export const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** What a reader sends of the square code of a box. */
export const codeOf = ({ gtin, serial, lot, expiresOn }: Record<'gtin' | 'serial' | 'lot' | 'expiresOn', string>) =>
  `]d201${gtin}17${expiresOn.slice(2).replaceAll('-', '')}10${lot}\x1d21${serial}`
