import table from './data/foreign-names.json' with { type: 'json' }

const written = new Map<string, string[]>()
for (const block of Object.values<Readonly<Record<string, string>>>(table)) {
  for (const [id, names] of Object.entries(block)) {
    written.set(id, [...(written.get(id) ?? []), ...names.split('; ')])
  }
}

/** White cells whose name alone means their number, and with % or "abs" beside it their share or number. */
const absolute = 'abs абс absolut absolute absolu absolus absoluto absolutos absoluti assoluto assoluti absoluut'.split(
  ' ',
)
const cells = ['neutrophils', 'lymphocytes', 'monocytes', 'eosinophils', 'basophils']
for (const cell of cells) {
  const names = written.get(`${cell}_abs`) ?? []
  const shares = names.flatMap((name) => [`${name} %`, `% ${name}`])
  written.set(`${cell}_pct`, [...(written.get(`${cell}_pct`) ?? []), ...shares])
  written.set(`${cell}_abs`, [...names, ...names.flatMap((name) => absolute.map((word) => `${name} ${word}`))])
}

/** What reports in other languages than English call a biomarker, by a table with a block for each language. */
export const foreignNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(written)
