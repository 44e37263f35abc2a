import type { Kind } from '../headings.ts'
import { isOfAnother } from '../specimen-words.ts'

/** Columns that say whose a row is, or of which tube. */
export const samples: readonly Kind[] = ['patient', 'givenName', 'familyName', 'patientId', 'accession', 'kit']

const control =
  /^(?:(?:bio-?rad|roche|randox|siemens|lyphochek|precicontrol|seronorm)\b.*|(?:i|e)?qc|ctrl|controls?|blk|ptc|kontroll[ea]?|kontrol|contrôles?|controles?|controll[oi]|blanks?|blind|leerwert|leerprobe|blanc|blanco|bianco|calibrators?|kalibrator|calibrateur|calibrador|calibratore|cal|std|standard|pool|ntc|level|training|linearity|carry-?over|precision|proficiency|verification|validation|recovery|spiked?|dilution|wash|reagent|demo|dummy|mock|simulat(?:ed|ion|or))(?:[\s_#-]*(?:l|lvl|level|lot|stufe|niveau|nivel|livello)?[\s_#.-]*(?:\d{1,3}|[abc]|i{1,3}|low|high|normal|pos(?:itive)?|neg(?:ative)?))?$/iu

/** "QC1", "Blank": a row of the run, not of a person. */
export const isControl = (cell: string): boolean => control.test(cell.trim()) || isOfAnother(cell)
