export const CORE = 'ED1NL4E3L'
export const CARDIO = 'ED14KY98G'

// Frozen: test files share a process, and would see each other's changes.
export const address = Object.freeze({ street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' })
export const recipient = Object.freeze({ first_name: 'Ada', last_name: 'Example', email: 'ada@example.test', address })

/** A single order of one kit, with the given changes. */
export const anOrder = (changes: Record<string, unknown> = {}) => ({
  recipient,
  kit_types: [{ kitType: CORE }],
  ...changes,
})

export const aRow = (changes: Record<string, unknown> = {}) => ({
  kit_type: CORE,
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.test',
  ...address,
  ...changes,
})
