// What large laboratories print below every result of a test, word by word. Lines break where their reports do.
const texts = [
  // Labcorp, HCV antibody
  'HCV antibody alone does not differentiate between previously resolved infection and active infection. Equivocal and Reactive HCV antibody results should be followed up with an HCV RNA test to support the diagnosis of active HCV infection.',
  // Quest, calculated LDL cholesterol
  'Martin SS et al. JAMA. 2013;310(19): 2061-2068',
]

const patterns = texts.map((text) => {
  const words = text.split(/\s+/).map((word) => word.replace(/\.$/, '').replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`${words.join(String.raw`\.?\s+`)}\\.?`, 'giu')
})

/** A note without the texts that stand below every result of its test, whatever the result. */
export const withoutStandingTexts = (note: string): string =>
  patterns.reduce((rest, pattern) => rest.replace(pattern, '\n'), note)
