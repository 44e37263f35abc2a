import type { Messages } from './sentence.ts'
import sentences from './spanish.json' with { type: 'json' }

/** The sentences of the service and of display/ in Spanish, from their English messages. */
export const spanish: Messages = sentences
