/** The media type of .xlsx. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** `.xlsx`, `.xls`, or neither, by the first bytes. `.xls` stands for encrypted workbooks too: both are compound files. */
export function workbookOf(bytes: Uint8Array): 'xlsx' | 'xls' | undefined {
  const begins = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte)
  if (begins(0x50, 0x4b, 3, 4)) return 'xlsx'
  return begins(0xd0, 0xcf, 0x11, 0xe0) ? 'xls' : undefined
}

/** A workbook that is not read. Who asked has the sentence. */
export class WorkbookProblem extends Error {
  readonly reason: 'not a workbook' | 'too large' | 'empty'
  constructor(reason: WorkbookProblem['reason']) {
    super(reason)
    this.reason = reason
  }
}
