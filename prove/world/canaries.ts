/** Words that only one person of one journey has. `qz1l007r` is the recipient, `qz1l007p` the person tested. */
const CANARY = /qz\d[ls]\d{3}[rp]/gi

export const canariesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(CANARY)].map(([word]) => word.toLowerCase())),
]

/** The realm of a canary: business and mode. */
export const realmOf = (canary: string): string => canary.slice(2, 4)
