import { spanish as ofService } from '@kitlane/display/spanish'
import refusals from './refusals-es.json'
import type { Translations } from './t.ts'

// Spanish, from the English text: one file for each folder of features. Loaded only where it is spoken.
const files = import.meta.glob<Record<string, string>>('./es/*.json', { eager: true, import: 'default' })

export const spanish: Translations = {
  messages: Object.assign({}, ofService, ...Object.values(files)),
  refusals,
}
