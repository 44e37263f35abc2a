import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { remarkOf, unknownSentences } from '@kitlane/lab-reader/parse/remark'
import { describe, expect, test } from 'vitest'

const head = [
  'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1',
  'PID|1||W12||VALLE^NORA||19750606|F',
  'OBR|1|A1|F1|X^Chemistry^L|||20260227070000',
]

async function read(text: string) {
  const { reports } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  const all = reports.map((report) => identifyReport(report, biomarkers))
  return {
    values: all.flatMap(({ results }) => results.map(({ rawResult }) => rawResult)),
    waiting: all.flatMap(({ unmatched }) => unmatched.map(({ valueText, code }) => `${valueText} ${code}`)).sort(),
  }
}

const hl7 = (...lines: string[]) => read([...head, ...lines].join('\r'))
const potassium = (value: string, status: string) =>
  `OBX|1|NM|2823-3^Potassium^LN||${value}|mmol/L|3.5-5.1||||${status}`

describe('a value that something newer in the same file corrects', () => {
  test('does not count where the correction waits for its note', async () => {
    const note = 'NTE|1||Wrong tube was analysed.'
    expect(await hl7(potassium('6.1', 'F'), potassium('4.1', 'C'), note)).toEqual({
      values: [],
      waiting: ['4.1 annulled', '6.1 differentValues'],
    })
    expect((await hl7(potassium('6.1', 'P'), potassium('4.1', 'F'), note)).values).toEqual([])
  })

  test('does not count where the correction waits for a remark that is not known', async () => {
    const note = 'NTE|1||The courier said the box was green on arrival.'
    expect((await hl7(potassium('6.1', 'F'), potassium('4.1', 'C'), note)).values).toEqual([])
  })

  test('counts where only something less final waits', async () => {
    const note = 'NTE|1||Wrong tube was analysed.'
    expect((await hl7(potassium('4.1', 'C'), potassium('6.1', 'P'), note)).values).toEqual(['4.1'])
  })
})

test.each(['Si consiglia di ripetere il prelievo: campione non idoneo.', 'Si segnala campione coagulato'])(
  'a reflexive verb in Italian is no condition: %s',
  (note) => {
    expect(annuls(note)).toBe(true)
  },
)

test.each(['INVALID', 'CANCELLED', 'Sample was clotted'])(
  "a segment of the laboratory's own annuls the result above it: %s",
  async (said) => {
    expect((await hl7(potassium('4.1', 'F'), `ZQC|1|${said}`)).values).toEqual([])
  },
)

test('a viral load below the limit waits where its note says that it was detected', async () => {
  const load = 'OBX|1|SN|HBVDNA^HBV DNA^L||<^10|IU/mL|||||F'
  expect((await hl7(load, 'NTE|1||Detected, below the limit of quantification')).waiting).toEqual(['<10 contradicted'])
})

test('a control in the column of specimens is not the person’s', async () => {
  const rows = ['Specimen,Test,Result,Unit', 'QC1,Sodium,120,mmol/L', 'Serum,Sodium,139,mmol/L']
  expect(await read(rows.join('\n'))).toEqual({ values: ['139'], waiting: ['120 notOwn'] })
})

test('a sentence may end in a word with an accent before its last letter', () => {
  expect(unknownSentences('Resultado confirmado após repetição. Frase sem sentido algum.')).toHaveLength(1)
  expect(remarkOf('Resultado confirmado en segunda determinación.')).toBe('ordinary')
})

test('a negative answer of an infection close to its cut-off waits', async () => {
  const answer = 'OBX|1|ST|HCV^Anti-HCV^L||Non-reactive||||||F'
  const { waiting } = await hl7(answer, 'NTE|1||Signal close to cut-off, retest in 4 weeks')
  expect(waiting).toEqual(['Non-reactive noteContradictsValue'])
})

test.each([
  'Not to be released',
  'Résultat à confirmer sur un second prélèvement',
  'Risultato da confermare su nuovo campione',
  'Ergebnis noch zu bestätigen',
])('a result that is to be confirmed or not released waits: %s', (note) => {
  expect(annuls(note)).toBe(true)
})

test('a result to be looked at again later counts', () => {
  expect(annuls('Résultat à contrôler dans 6 mois')).toBe(false)
})
