import data from './data/biomarkers.json' with { type: 'json' }
import { Catalogue } from './schema.ts'

/** The biomarkers that the reader knows, with their units, ranges and codes. An installation may have changed its own. */
export const { biomarkers } = Catalogue.parse(data)
