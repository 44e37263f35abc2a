const not =
  /\b(?:non|not|no)[- ]?fasting\b|\bfasting\s*[:=?-]+\s*(?:no|n|false|unknown)\b|\b(?:random|post[- ]?prandial|after (?:a )?meal|fed) (?:sample|specimen|state|glucose|draw)\b|\bpatient (?:was|had) (?:not fasted|eaten)\b|\bnicht nüchtern\b|\bnon (?:à jeun|a digiuno)\b|\bno en ayunas\b|\bikke fastende\b|\b(?:drawn|collected|taken|obtained|sample|specimen)\b[^.;<>]{0,30}\b(?:after|post) (?:a |the |her |his )?(?:light |heavy |big )?(?:breakfast|lunch|dinner|supper|meal|food|snack|eating)\b|(?<!\b(?:if|when|unless|whether) (?:the )?)\b(?:patient|person|client|she|he) (?:ate|had (?:breakfast|lunch|dinner|a meal))\b/i
const fasted =
  /\b(?:fasting|fasted) (?:sample|specimen|state|draw|collection|blood)\b|\b(?:sample|specimen|patient) (?:is |was |has been |had )?(?:fasting|fasted)\b|\bfasting\s*[:=?-]+\s*(?:yes|y|true|\d{1,2} ?h)|^\s*fasting\s*[.!]?\s*$|\bnüchtern(?:probe|blut)?\b|\bà jeun\b|\ba digiuno\b|\ben ayunas\b|\bfastende\b/i

/** Whether a text says that a sample was taken fasting; a text that only speaks of limits of fasting says nothing. */
export function fastingIn(text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return undefined
  return not.test(text) ? false : fasted.test(text) ? true : undefined
}
