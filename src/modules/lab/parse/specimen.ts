import { otherSpecimen } from '../../catalogue/name-words.ts'

const silent = /^(unk|unknown|not (stated|specified|given|available|applicable)|n\/?a|none|-+)?$/i
/** Words, and codes of HL7 (tables 0070 and 0487) and SNOMED CT, for the specimens of the catalogue's biomarkers. */
const blood =
  /\b(serum|plasma|blood|bld|bldv|ser|serpl\w*|plas|plasv|wb|sst|edta|ppp|heparin\w*|citrate|blut|vollblut|dbs|119297000|119364003|119361006|122555007|258580003|440500007|258441009|122592007|119298005)\b/i

/** The specimen of a result; undefined if the file names none. */
export function specimenOf(text: string | undefined): 'blood' | 'other' | 'unknown' | undefined {
  const said = text?.replaceAll('_', ' ').trim() ?? ''
  if (silent.test(said)) return undefined
  if (otherSpecimen.test(said)) return 'other'
  return blood.test(said) ? 'blood' : 'unknown'
}
