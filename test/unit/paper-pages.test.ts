import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyObservations } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'
import { makePdf } from '../samples/make-pdf.ts'
import { morePaperPages } from '../samples/paper-more.ts'
import { type PaperPage, paperPages } from '../samples/paper-pages.ts'

async function read({ pages }: PaperPage) {
  const { reports } = await parseBytes(await makePdf(pages), { maxPages: 9 })
  const identified = reports.map(({ observations }) => identifyObservations(observations, biomarkers))
  const right = identified.flatMap(({ results }) =>
    results.map((result): [string, string | number] => {
      if ('finding' in result) return [result.biomarkerId, result.finding.value]
      return [result.biomarkerId, result.comparator ? `${result.comparator}${result.value}` : result.value]
    }),
  )
  const left = identified.flatMap(({ unmatched }) => unmatched)
  const phases = identified.flatMap(({ results }) => results.flatMap((result) => result.phases ?? []))
  return { right, left, phases }
}

describe('on paper, each value is right or waits for a person:', () => {
  it.each([...paperPages, ...morePaperPages])('$what', async (page) => {
    if (page.isRefused) {
      await expect(read(page)).rejects.toMatchObject({ code: 'NEEDS_REVIEW' })
      return
    }
    const { right, left, phases } = await read(page)
    const kept = left.map(({ name, valueText, code }) => `${name} ${valueText} ${code}`)
    expect({ right: Object.fromEntries(right), kept }).toMatchObject({ right: page.right })
    // Intervals for each phase say nothing of the person's.
    expect(phases).toEqual([])
    expect(Object.keys(page.right).sort()).toEqual(right.map(([id]) => id).sort())
    for (const [name, value] of page.waits)
      expect(
        left.some((one) => one.name.startsWith(name) && one.valueText.includes(value)),
        `${name} ${value} in ${kept.join('; ')}`,
      ).toBe(true)
  })
})
