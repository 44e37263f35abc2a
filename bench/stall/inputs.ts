import { aRow } from '../../test/harness/orders.ts'

export interface Tokens {
  business: string
  operator: string
}

export interface Sent {
  name: string
  path: string
  type: string
  token: string
  body: string
}

const JSON_TYPE = 'application/json'

/** The most expensive inputs. All are built before the measurement starts. */
export async function inputs(url: string, { business, operator }: Tokens): Promise<Sent[]> {
  const headers = { authorization: `Token ${business}`, 'content-type': JSON_TYPE }
  const person = { email: 'stall@example.test', name: 'Ann Example', external_id: 'stall' }
  await fetch(`${url}/api/v1/customer`, { method: 'POST', headers, body: JSON.stringify(person) })
  const lab = (name: string, type: string, body: string): Sent => ({
    name,
    path: '/operator/v1/lab/results',
    type,
    token: operator,
    body,
  })
  const json = (name: string, path: string, body: string): Sent => ({
    name: `${name}, ${(body.length / 1e6).toFixed(1)} MB`,
    path: `/api/v1${path}`,
    type: JSON_TYPE,
    token: business,
    body,
  })
  const order = (name: string, rows: unknown[], query = '') =>
    json(name, `/create-order${query}`, JSON.stringify({ bulkUploadData: rows }))
  const bad = Array.from({ length: 10_000 }, () => ({ kit_type: 1, email: 'no', quantity: 0 }))
  const good = Array.from({ length: 10_000 }, (_, row) => aRow({ external_id: `row-${row}`, external_tags: 'a,b,c' }))
  const long = good.map((row) => ({ ...row, street2: 'x'.repeat(200), external_tags: 't'.repeat(500) }))
  return [
    lab('a nested PDF declared as text, 60 kB', 'text/plain', nestedPdf()),
    lab('HL7 with 2,900 results, 1.4 MB', 'application/hl7-v2', hl7(1, 2_900, 400)),
    lab('HL7 with 1,400 reports, 1.4 MB', 'application/hl7-v2', hl7(1_400, 1, 600)),
    lab('FHIR with 2,900 results, 1.3 MB', 'application/fhir+json', fhir(2_900)),
    lab('FHIR with 9,000 results, 1.9 MB', 'application/fhir+json', fhir(9_000, 0)),
    lab(
      'results as JSON, 1,000 wrong ones',
      JSON_TYPE,
      JSON.stringify({ kitID: 'K1', results: Array(1000).fill({ value: {} }) }),
    ),
    lab(
      'results as JSON, 1,000 unknown ones',
      JSON_TYPE,
      JSON.stringify({ accession: 'stall', results: unknown(1000) }),
    ),
    {
      ...lab('CSV of 2,000 wrong shipments', 'text/csv', `kitID,carrier,outbound\n${'K1,,\n'.repeat(2000)}`),
      path: '/operator/v1/fulfilment/shipments/csv',
    },
    {
      ...lab('CSV of commas, 1 MB', 'text/csv', `kitID,carrier,outbound\n${','.repeat(1_000_000)}`),
      path: '/operator/v1/fulfilment/shipments/csv',
    },
    order('10,000 wrong rows', bad),
    order('10,000 wrong rows, dry run', bad, '?dryRun=true'),
    order('10,000 right rows, dry run', good, '?dryRun=true'),
    order('10,000 right rows', good),
    order('10,000 long rows, dry run', long, '?dryRun=true'),
    json('500,000 lines of an order', '/create-order', `{"kit_types":[${Array(500_000).fill('{}').join()}]}`),
    json('900,000 fields', '/create-order', `{${Array.from({ length: 900_000 }, (_, n) => `"${n}":1`).join()}}`),
    json(
      '1,000 unknown results',
      '/customer/add-data',
      JSON.stringify({
        type: 'test',
        userId: 'stall',
        date: '2026-01-15',
        biomarkerData: unknown(1000).map(({ name, value, unit }) => ({ name, result: value, unit_of_measure: unit })),
      }),
    ),
    json('a file of 8.9 MB', '/customer/add-data', file(8_900_000)),
  ]
}

const unknown = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `Unknown substance of serum number ${n}`, value: n, unit: 'mg/dL' }))

const file = (size: number) =>
  JSON.stringify({
    type: 'file',
    userId: 'stall',
    date: '2026-01-15',
    fileBlob: `data:text/csv;base64,${Buffer.from(`a,b\n${'1,2\n'.repeat(size / 4)}`).toString('base64')}`,
  })

function hl7(reports: number, results: number, padding: number): string {
  const note = 'x'.repeat(padding)
  const one = (report: number) => [
    `PID|1||${report}||Doe^Ada||19900101|F`,
    `OBR|1||S${report}|CHEM^Chemistry^L|||20260301|||||||||||||||20260302|||F`,
    ...Array.from(
      { length: results },
      (_, n) => `OBX|${n + 1}|NM|^Unknown serum ${report}.${n}^L||${n}|mg/dL|1-9|N|||F\rNTE|1||${note}`,
    ),
  ]
  const head = 'MSH|^~\\&|LAB|HOUSE|KITLANE|HQ|20260306||ORU^R01^ORU_R01|44|P|2.5.1'
  return [head, ...Array.from({ length: reports }, (_, report) => one(report)).flat()].join('\r')
}

function fhir(count: number, padding = 250): string {
  const observation = (n: number) => ({
    resource: {
      resourceType: 'Observation',
      id: `o${n}`,
      status: 'final',
      code: { text: `Unknown serum ${n}` },
      valueQuantity: { value: n, unit: 'mg/dL' },
      note: [{ text: 'x'.repeat(padding) }],
    },
  })
  const result = Array.from({ length: count }, (_, n) => ({ reference: `Observation/o${n}` }))
  const report = { resourceType: 'DiagnosticReport', status: 'final', code: { text: 'Chemistry' }, result }
  const entry = [{ resource: report }, ...Array.from({ length: count }, (_, n) => observation(n))]
  return JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry })
}

/** Nested forms, each drawing the next one ten times: 60 kB that expand to 1.5 million words. */
function nestedPdf(): string {
  const depth = 3
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources ${resources(5)} >>`,
    stream('', '/X Do\n'.repeat(10)),
    ...Array.from({ length: depth }, (_, level) =>
      stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources ${resources(level === depth - 1 ? undefined : level + 6)}`,
        level === depth - 1 ? 'BT /F 9 Tf (Glucose 90 mg/dL) Tj ET\n'.repeat(1500) : '/X Do\n'.repeat(10),
      ),
    ),
  ]
  const parts = ['%PDF-1.7\n']
  const offsets = objects.map((object, index) => {
    const at = parts.join('').length
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`)
    return at
  })
  const at = parts.join('').length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF`,
  )
  return parts.join('')
}

const stream = (dictionary: string, body: string) =>
  `<< ${dictionary} /Length ${body.length} >>\nstream\n${body}\nendstream`

const resources = (next?: number) =>
  `<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> ${next ? `/XObject << /X ${next} 0 R >>` : ''} >>`
