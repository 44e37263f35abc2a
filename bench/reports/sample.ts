// Writes a customer with many reports of every biomarker directly into the tables, because the API would take minutes.

import catalogue from '@kitlane/lab-reader/facts/data/biomarkers.json' with { type: 'json' }
import { Catalogue } from '@kitlane/lab-reader/facts/schema'
import type { Client } from 'pg'
import { newReportId } from '../../src/domain/ids.ts'
import { type Personal, sealedCustomers } from '../../src/modules/customers/sealed-queries.ts'
import { judgeReport } from '../../src/modules/reports/judge/judge.ts'
import { suggestionsFor } from '../../src/modules/reports/judge/suggestions.ts'
import { sealedVersions, versionKey } from '../../src/modules/reports/sealed-queries.ts'
import type { Vault } from '../../src/platform/sealing/vault.ts'

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

const person: Personal = {
  email: 'bench@example.test',
  name: 'Ada Byron',
  firstName: null,
  lastName: null,
  dateOfBirth: '1985-03-10',
  gender: 'F',
  phone: null,
  address: null,
  race: null,
}

/**
 * Writes `count` published reports of one customer into the live realm of a business, sealed as the service does.
 * `lastId`: the ID of the last one; default a new one.
 */
export async function writeSample(
  db: Client,
  business: string,
  count: number,
  vault: Vault,
  lastId = newReportId(),
): Promise<Sample> {
  const { rows } = await db.query(
    `select r.id from realms r join businesses b on b.id = r.business_id where b.name = $1 and r.mode = 'live'`,
    [business],
  )
  const realmId: number = rows[0].id
  const keys = await vault.of(realmId)
  const customerId = 4711
  const sealedPerson = sealedCustomers.seal(keys, [customerId], person)
  const { email_hash: emailHash } = sealedCustomers.hashes(keys, person)
  await db.query(
    'insert into customers (realm_id, id, seq, sealed, email_hash, created_at) values ($1, $2, 1, $3, $4, now())',
    [realmId, customerId, sealedPerson, emailHash],
  )
  let markers = 0
  for (let n = 0; n < count; n++) {
    const { entries, axes } = judged(n)
    const reportId = n === count - 1 ? lastId : newReportId()
    markers = entries.length
    await db.query(
      `insert into reports (realm_id, id, customer_id, status, vendor_status, version, collected_date, resulted_date,
         published_at, created_at)
       values ($1, $2, $3, 'published', 'final', 1, date '2020-01-01' + $4::int * 30, date '2020-01-05' + $4::int * 30,
         now(), now())`,
      [realmId, reportId, customerId, n],
    )
    const suggestions = suggestionsFor(entries).map(({ text, ...one }) => ({
      text: String(text),
      textKept: text.kept(),
      ...one,
    }))
    const content = { entries, axes, suggestions, labErrors: [], withdrawn: [], reason: null }
    const key = versionKey(reportId, 1)
    const { sealed_summary: summary } = sealedVersions.derived(keys, key, content)
    await db.query(
      `insert into report_versions (realm_id, report_id, version, score_version, created_at, sealed, sealed_summary)
       values ($1, $2, 1, '1', now(), $3, $4)`,
      [realmId, reportId, sealedVersions.seal(keys, key, content), summary],
    )
  }
  await db.query('vacuum analyze reports, report_versions, customers')
  return { realmId, customerId, reportId: lastId, markers }
}
