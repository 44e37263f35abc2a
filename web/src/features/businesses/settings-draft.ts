import type { Settings } from '../../api/shapes.ts'

/** The settings as the form holds them; the operator alone enables uploads. */
export type Draft = Omit<Settings, 'uploadsEnabled'>
