import type { IdentityRecord } from '../define-module.ts'

/** The texts that identify a person, in lower case. */
export interface Identity {
  /** Identifying anywhere in a text: e-mails, full names, telephone numbers. */
  within: string[]
  /** Identifying only as a whole value: "Will" is also a word. */
  whole: ReadonlySet<string>
}

// A shorter name or number also occurs inside harmless text.
const MIN_WITHIN = 6
// Countries and states identify nobody.
const MIN_ADDRESS_PART = 3

/** Everything that the records of a person hold about who they are. `otherTexts`: what carriers said of their parcels. */
export function identityOf(records: readonly IdentityRecord[], otherTexts: readonly string[] = []): Identity {
  const within = new Set<string>()
  const whole = new Set(otherTexts.map(normalize))
  for (const { email, name, firstName, lastName, phone, externalId, address } of records) {
    const fullName = firstName && lastName ? `${firstName} ${lastName}` : undefined
    const addressParts = texts(address).filter((part) => part.length >= MIN_ADDRESS_PART)
    for (const text of [email, name, fullName, firstName, lastName, phone, externalId, ...addressParts]) {
      if (text) whole.add(normalize(text))
    }
    if (email) within.add(normalize(email))
    for (const text of [name, fullName, phone]) {
      if (text && text.length >= MIN_WITHIN && /[\s\d]/.test(text)) within.add(normalize(text))
    }
  }
  return { within: [...within], whole }
}

/**
 * The value without what tells who the person is: such properties are empty, as readers of
 * a record expect all of them, and such items are left out, at any depth.
 */
export function scrub(value: unknown, identity: Identity): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !tells(item, identity)).map((item) => scrub(item, identity))
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, tells(item, identity) ? '' : scrub(item, identity)]),
  )
}

/** Whether a text tells who the person is. */
export function tells(value: unknown, { within, whole }: Identity): boolean {
  if (typeof value !== 'string') return false
  const text = normalize(value)
  return whole.has(text) || within.some((part) => text.includes(part))
}

const normalize = (text: string) => text.trim().toLowerCase()

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : []
}
