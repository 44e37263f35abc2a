import type { Kind } from '../headings.ts'
import { isOfAnother } from '../specimen-words.ts'

/** Columns that say whose a row is, or of which tube. */
export const samples: readonly Kind[] = ['patient', 'givenName', 'familyName', 'patientId', 'accession', 'kit']

const control =
  /^(?:(?:bio-?rad|roche|randox|siemens|lyphochek|precicontrol|seronorm)\b.*|(?:i|e)?qc|ctrl|controls?|blk|ptc|kontroll[ea]?|kontrol|contrôles?|controles?|controll[oi]|blanks?|blind|leerwert|leerprobe|blanc|blanco|bianco|calibrators?|kalibrator|calibrateur|calibrador|calibratore|cal|std|standard|pool|ntc|level|training|linearity|carry-?over|precision|proficiency|verification|validation|recovery|spiked?|dilution|wash|reagent|demo|dummy|mock|simulat(?:ed|ion|or))(?:[\s_#-]*(?:l|lvl|level|lot|stufe|niveau|nivel|livello)?[\s_#.-]*(?:\d{1,3}|[abc]|i{1,3}|low|high|normal|pos(?:itive)?|neg(?:ative)?))?$/iu

const poolHeading = /(?<!\p{L})(?:pool(?:ed|s|größe|nummer)?|mischprobe\p{L}*)(?!\p{L})/iu
const peopleHeading =
  /^(?:(?:number|no\.?|n|anzahl|nombre|número|numero) ?(?:of|der|von|de|di)? )?(?:members|people|persons|participants|individuals|contributors|donors|personen|mitglieder|teilnehmer|personnes|personas|participantes|persone|partecipanti)$/i

/** A column of pools, or of how many people a sample is of. */
export const isOfSeveral = (heading: string, cell: string): boolean =>
  poolHeading.test(heading.replaceAll('_', ' '))
    ? !/^(?:1|0|no?|none|false|nein|non|single|-*)$/i.test(cell)
    : peopleHeading.test(heading.trim().replaceAll('_', ' ')) && Number(cell) > 1

/** "EXAMPLE - do not edit": the row shows how to fill in the others. */
const ofTemplate =
  /^\W*(?:sample|example|template|demo|beispiel|muster|vorlage|exemple|modèle|ejemplo|plantilla|esempio|modello|exemplo|modelo|voorbeeld|sjabloon|eksempel|exempel|mall|przykład)[- ]?(?:(?:row|line|zeile|rad|række|rij)\W*$|(?:row|line|zeile|rad|række|rij)?\W+(?:please|bitte)?\W*(?:do not|don['’]t|remove|delete|nicht|löschen|ne pas|niet|ikke|inte|nie|(?:no|non|não)(?= \p{L}{3}))(?!\p{L}))/iu

/** "QC1", "Blank": a row of the run, not of a person. */
export const isControl = (cell: string): boolean =>
  control.test(cell.trim()) || ofTemplate.test(cell) || isOfAnother(cell)
