let sent = 0

/** A control ID that no other message has. */
export const controlId = (): string => `MSG${++sent}-${process.pid}`

export interface Told {
  kitId: string
  rows: readonly { value: string; status: string; code?: string; unit?: string; analyzed?: string }[]
  /** MSH-10; default: a new one. */
  id?: string | undefined
  /** MSH-7; default: one time for all. */
  sent?: string | undefined
  /** OBR-22. */
  reported?: string | undefined
  /** MSH-3 and MSH-4. */
  sender?: string | undefined
  /** OBR-25 */
  request?: string | undefined
}

/** A message of a laboratory about one sample, each row an OBX of it. */
export function told({ kitId, rows, id = controlId(), sent = '20260402120000', reported, sender, request }: Told) {
  const obx = rows.map(({ value, status, code = '2345-7^Glucose^LN', unit = 'mg/dL', analyzed = '' }, index) => {
    const type = value === '' ? '' : 'NM'
    return `OBX|${index + 1}|${type}|${code}||${value}|${unit}|||||${status}||||||||${analyzed}`
  })
  return [
    `MSH|^~\\&|${sender ?? 'LIS|WEST'}|KITLANE|Y|${sent}||ORU^R01|${id}|P|2.5.1`,
    'PID|1||X||Tester^Bo||19800229|F',
    `OBR|1|${kitId}|ACC-${kitId}|24331-1^Panel^LN|||20260401083000||||||F|||||||||${reported ?? ''}|||${request ?? 'F'}`,
    ...obx,
  ].join('\r')
}
