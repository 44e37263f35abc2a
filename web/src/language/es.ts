import type { Messages } from './t.ts'

// Spanish, from the English text: one file for each folder of features. Loaded only where it is spoken.
const files = import.meta.glob<Record<string, string>>('./es/*.json', { eager: true, import: 'default' })

export const messages: Messages = Object.assign({}, ...Object.values(files))
