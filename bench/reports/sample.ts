// Writes a customer with many reports of every biomarker directly into the tables, because the API would take minutes.
import type { Client } from 'pg'
import { newReportId } from '../../src/domain/ids.ts'
import catalogue from '../../src/modules/catalogue/data/biomarkers.json' with { type: 'json' }
import { Catalogue } from '../../src/modules/catalogue/schema.ts'
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'
import { suggestionsFor } from '../../src/modules/reports/judge/suggestions.ts'

export interface Sample {
  realmId: number
  customerId: number
  reportId: string
  markers: number
}

const { biomarkers } = Catalogue.parse(catalogue)

function judged(index: number) {
  const results = biomarkers.map(({ id, unit, plausible, reference, decimals }, at) => {
    const { low, high } = reference?.F ?? { low: null, high: null }
    const [from, to] = [low ?? plausible.min, high ?? plausible.max]
    const value = from + (to - from) * (0.2 + 0.2 * ((index + at) % 6))
    return { biomarkerId: id, unit, value: Number(Math.min(plausible.max, value).toFixed(decimals)) }
  })
  return judgeReport({
    catalogue: biomarkers,
    panel: biomarkers.map(({ id }) => id),
    results,
    previous: [],
    labErrors: [],
    subject: { sex: 'F', ageYears: 41 },
  })
}

/** Writes `count` published reports of one customer into the live realm of a business. */
export async function writeSample(db: Client, business: string, count: number): Promise<Sample> {
  const { rows } = await db.query(
    `select r.id from realms r join businesses b on b.id = r.business_id where b.name = $1 and r.mode = 'live'`,
    [business],
  )
  const realmId: number = rows[0].id
  const customerId = 4711
  await db.query(
    `insert into customers (realm_id, id, seq, email, name, date_of_birth, gender, created_at)
     values ($1, $2, 1, 'bench@example.test', 'Ada Byron', '1985-03-10', 'F', now())`,
    [realmId, customerId],
  )
  let reportId = ''
  let markers = 0
  for (let n = 0; n < count; n++) {
    const { entries, axes } = judged(n)
    reportId = newReportId()
    markers = entries.length
    await db.query(
      `insert into reports (realm_id, id, customer_id, status, vendor_status, version, collected_date, resulted_date,
         published_at, created_at)
       values ($1, $2, $3, 'published', 'final', 1, date '2020-01-01' + $4::int * 30, date '2020-01-05' + $4::int * 30,
         now(), now())`,
      [realmId, reportId, customerId, n],
    )
    await db.query(
      `insert into report_versions (realm_id, report_id, version, score_version, axes, suggestions, created_at)
       values ($1, $2, 1, '1', $3, $4, now())`,
      [realmId, reportId, JSON.stringify(axes), JSON.stringify(suggestionsFor(entries))],
    )
    await db.query(
      `insert into report_results (realm_id, report_id, version, biomarker_id, position, value, judged)
       select $1, $2, 1, e.judged->>'id', e.position, (e.judged->>'result')::float8, e.judged
       from jsonb_array_elements($3::jsonb) with ordinality as e(judged, position)`,
      [realmId, reportId, JSON.stringify(entries)],
    )
  }
  await db.query('vacuum analyze reports, report_versions, report_results, customers')
  return { realmId, customerId, reportId, markers }
}
