import { withDoubt } from './beside.ts'
import type { Observation } from './parsed.ts'
import { isUsable } from './status.ts'

/** What a test measures beside the sample to show that it worked. */
const names =
  /(?<!\p{L})(?:internal|process(?:ing)?|procedural|amplification|extraction|inhibition|(?:sample|specimen)(?: adequacy| processing)?|cellularity|positive|negative|quality|run|assay|pcr|test) controls?(?!\p{L})|(?<!\p{L})(?:intern\p{L}*|prozess|extraktions|amplifikations|inhibitions|positiv|negativ|qualitäts)[- ]?kontrolle(?!\p{L})|(?<!\p{L})(?:contrôle|control|controllo|controle) (?:interne?|interno|positi[fv]o?|négatif|negativo)(?!\p{L})/iu
const ofAbsence = /negati[vf]/iu
const failed =
  /^\W*(?:fail\w*|invalid\w*|(?:not|un)[ -]?(?:valid|acceptable|ok|passed|satisfactory)|unacceptable|unsatisfactory|error|out of range|abnormal|inhibited|ungültig|fehlgeschlagen|nicht (?:gültig|bestanden|in ordnung)|invalide|non (?:valide|conforme)|échec|inválid[oa]|no válido|fallid[oa]|non valid[oa]|ongeldig|ugyldig|ogiltig)(?!\p{L})/iu
/** Of a control that has to be found. */
const missing =
  /^\W*(?:neg(?:ative)?|not (?:detected|present|found)|absent|undetected|nicht nachweisbar|negativ|négatif|negativo)\W*$/iu

/** What failed of the controls of one test; undefined where all are well or there are none. */
function failedControlIn(observations: readonly Observation[]): string | undefined {
  const failing = observations.find(({ name, valueText, status }) => {
    if (!names.test(name) || !isUsable(status)) return false
    return failed.test(valueText) || (!ofAbsence.test(name) && missing.test(valueText))
  })
  return failing && `${failing.name}: ${failing.valueText}`
}

/** Without its control a test says nothing: all of its results wait. */
export function withControls(observations: readonly Observation[]): Observation[] {
  const because = failedControlIn(observations)
  if (because === undefined) return [...observations]
  return observations.map((one) => (isUsable(one.status) ? withDoubt(one, 'annulled', because) : one))
}
