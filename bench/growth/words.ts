// Makes the words that reports are packed with, from the catalogue: `node bench/growth/words.ts [summaries] > …/words-<n>.json`.
// Words that were released never change, so this is for the next ones.
import catalogue from '@kitlane/lab-reader/facts/data/biomarkers.json' with { type: 'json' }
import { Catalogue } from '@kitlane/lab-reader/facts/schema'
import panels from '../../src/modules/catalogue/data/panels.json' with { type: 'json' }
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'
import { summaryOf } from '../../src/modules/reports/rules.ts'

const { biomarkers } = Catalogue.parse(catalogue)
const { entries, axes } = judgeReport({
  catalogue: biomarkers,
  panel: biomarkers.map(({ id }) => id),
  results: biomarkers.map(({ id, unit, reference, plausible }) => {
    const { low = null, high = null } = reference?.F ?? {}
    return { biomarkerId: id, unit, value: ((low ?? plausible.min) + (high ?? plausible.max)) / 2 }
  }),
  previous: [],
  labErrors: [],
  subject: { sex: 'F', ageYears: 41 },
})
// What is at the end is referred to by the fewest bits: the results of most panels, then what each result has.
const kits: { biomarkers: string[] }[] = Object.values(panels)
const uses = (id: string) => kits.filter(({ biomarkers }) => biomarkers.includes(id)).length
const ordered = entries.toSorted((a, b) => uses(a.id) - uses(b.id))
const facts = ordered.map((entry) => JSON.stringify(entry).split(',"commonAlternativeUnits"')[0])
const rest = { entries: [], axes, suggestions: [], labErrors: [], withdrawn: [], reason: null }
const sample = entries.find(({ id }) => id === 'ldl') ?? entries[0]
const ofReports = [...facts, JSON.stringify(rest), JSON.stringify(sample)]
const { results, ...counts } = summaryOf({ entries: ordered, axes, withdrawn: [] })
const ofSummaries = [...results.map(([id, unit]) => `["${id}","${unit}",`), JSON.stringify({ ...counts, results: [] })]
process.stdout.write(`${JSON.stringify(process.argv[2] === 'summaries' ? ofSummaries : ofReports, null, 2)}\n`)
