import { specimensIn } from '../facts/specimens.ts'
import { hl7Day } from './date.ts'

/** Where blood is drawn from, and where urine comes out: nothing that changes what was measured. */
const usual =
  /\b(?:arm|forearm|upper arm|antecubital|cubital|elbow|hand|wrist|finger\w*|thumb|heel|toe|foot|leg|ear ?lobe|vein|venous|veni?puncture|peripheral|blood|left|right|limb|urethra\w*|bladder|urin\w*|anus|rect\w*|LA|RA|LH|RH|LAC|RAC)\b/i
/** Where other blood or another fluid is, whatever its side: "left adrenal vein", "right knee". */
const unusual =
  /(?<!\p{L})(?:umbilic\p{L}*|cord|placent\p{L}*|adrenal|hepatic|portal|renal|ovarian|petrosal|ventric\p{L}*|knees?|hips?|shoulders?|joints?|pleur\p{L}*|peritone\p{L}*|uter\p{L}*|breasts?|wounds?|abscess\p{L}*|abdom\p{L}*|pelvi[cs]|lumbar|spin(?:e|al)|cerebr\p{L}*|thora\p{L}*|peri[ck]ard\p{L}*|synovi\p{L}*|amnio\p{L}*|testi\p{L}*|liver|kidneys?|lungs?|bronch\p{L}*|gastr\p{L}*|drains?|fistula|cysts?|bauch\p{L}*|gelenk\p{L}*|knie)(?!\p{L})/iu
/** The same as the usual ones in SNOMED CT. */
const usualCodes = [
  ...['53120007', '368208006', '368209003', '40983000', '14975008', '85562004', '7569003', '76505004', '76853006'],
  ...['29092000', '76784001', '34340008', '50094009', '56459004', '61685007', '48345005', '89837001', '13648007'],
]

/** A time of analysis stands one field too far; codes of SNOMED CT of that length are no days. */
const isTime = (text: string): boolean => /^\d{12}(?:\d\d)?(?:[+-]\d{4})?$/.test(text) && hl7Day(text) !== undefined

/**
 * What a place of the body says of the specimen: nothing where it is one of the usual places, the specimen that it names, or
 * that it is another place, which a person has to look at.
 */
export function siteOf(texts: readonly string[]): { specimen?: string; isOther?: true } {
  const said = texts.map((text) => text.trim()).filter((text) => text !== '' && !isTime(text))
  if (said.length === 0) return {}
  const text = said.join(' ')
  if (specimensIn(text)?.length) return { specimen: text }
  if (unusual.test(text)) return { isOther: true }
  return usual.test(text) || said.some((one) => usualCodes.includes(one)) ? {} : { isOther: true }
}
