import { describe, expect, it } from 'vitest'
import { acknowledgement } from '../../src/platform/http/hl7.ts'
import { charsetOf, headersOf } from '../../src/platform/http/hl7-header.ts'

const now = new Date('2026-11-27T16:30:05Z')
const refused = { code: 'FILE_NOT_READABLE', message: 'A field | has ^ no \\ value' }

/** An MSH of these fields, from MSH-3 on, with an OBX after it. */
const message = (fields: string, marks = '|^~\\&') =>
  Buffer.from(`MSH${marks}${marks[0]}${fields}\rOBX|1|NM|||7.7707\r`)
const usual = 'LIS|North|KITLANE|Op|202611271629||ORU^R01|A-17|P|2.5.1'
const segmentsOf = (text: string) => text.split('\r').map((segment) => segment.split('|'))

describe('an acknowledgement', () => {
  it('goes back to the sender, names the message, and has its version', () => {
    const [msh = [], msa] = segmentsOf(acknowledgement(message(usual), { status: 200 }, now))
    expect(msh.slice(0, 9)).toEqual([
      ...['MSH', '^~\\&', 'KITLANE', 'Op', 'LIS', 'North', '20261127163005+0000', '', 'ACK^R01^ACK'],
    ])
    expect(msh.slice(10)).toEqual(['P', '2.5.1', '', '', '', '', '', 'UNICODE UTF-8'])
    expect(msa).toEqual(['MSA', 'AA', 'A-17'])
  })

  it('says why a message is refused, escaped, and nothing of its results', () => {
    const text = acknowledgement(message(usual), { status: 422, error: refused }, now)
    const [, msa, err] = segmentsOf(text)
    expect(msa).toEqual(['MSA', 'AE', 'A-17', 'A field \\F\\ has \\S\\ no \\E\\ value'])
    expect(err).toEqual([
      ...['ERR', '', '', '207^Application internal error^HL70357', 'E', 'FILE_NOT_READABLE', '', ''],
      'A field \\F\\ has \\S\\ no \\E\\ value',
    ])
    expect(text).not.toContain('7.7707')
  })

  it('of an old version has the reason where that version looks for it', () => {
    const old = acknowledgement(message(usual.replace('2.5.1', '2.3')), { status: 422, error: refused }, now)
    expect(old).toContain('|ACK^R01|')
    expect(old).toContain('\rERR|^^^207&Application internal error&HL70357|')
  })

  it('says that the same may be taken later only where it may', () => {
    const error = { code: 'ANY', message: 'Any' }
    const errorOf = (type: string, status: number) => {
      const raw = message(usual.replace('ORU^R01', type))
      return segmentsOf(acknowledgement(raw, { status, error }, now))[2]?.slice(2, 4)
    }
    expect(errorOf('ORU^R01', 401)).toEqual(['MSH^1^8', '204^Unknown key identifier^HL70357'])
    expect(errorOf('ORL^O22', 403)).toEqual(['MSH^1^8', '204^Unknown key identifier^HL70357'])
    expect(errorOf('ORL^O22', 404)).toEqual(['MSA^1^2', '204^Unknown key identifier^HL70357'])
    expect(errorOf('ORL^O22', 422)).toEqual(['MSA^1^2', '101^Required field missing^HL70357'])
    expect(errorOf('ORL^O22', 503)).toEqual(['', '207^Application internal error^HL70357'])
  })

  it.each([
    ['', '', 'AA', 'AE', 'AR'],
    ['AL', 'NE', 'CA', 'CE', 'CR'],
    ['AL', 'AL', 'CA', 'CE', 'CR'],
    ['NE', 'AL', 'AA', 'AE', 'AR'],
    ['', 'AL', 'AA', 'AE', 'AR'],
    ['ER', 'AL', 'AA', 'CE', 'CR'],
    ['SU', 'ER', 'CA', 'AE', 'AR'],
    ['ER', 'NE', undefined, 'CE', 'CR'],
    ['ne', 'ne', undefined, undefined, undefined],
    // What is no condition of table 0155 silences nothing.
    ['""', '""', 'AA', 'AE', 'AR'],
    ['XX', '', 'AA', 'AE', 'AR'],
    ['XX', 'AL', 'AA', 'AE', 'AR'],
  ])('for MSH-15 %j and MSH-16 %j is %j, %j or %j', (accept, application, ...codes) => {
    const raw = message(`${usual}|||${accept}|${application}`)
    const told = [{ status: 200 }, { status: 422, error: refused }, { status: 503, error: refused }]
    const given = told.map((one) => segmentsOf(acknowledgement(raw, one, now))[1]?.[1])
    expect(given).toEqual(codes)
  })

  it('of another type of message, or of none, is a rejection', () => {
    const [, msa, err] = segmentsOf(
      acknowledgement(message(usual.replace('ORU^R01', 'ADT^A08')), { status: 422, error: refused }, now),
    )
    expect([msa?.[1], err?.[2], err?.[3]]).toEqual(['AR', 'MSH^1^9', '200^Unsupported message type^HL70357'])
    const [msh, none] = segmentsOf(acknowledgement(Buffer.from('hello'), { status: 422, error: refused }, now))
    expect([msh?.[8], none?.slice(0, 3)]).toEqual(['ACK', ['MSA', 'AR', '']])
  })

  it('of a message that was left out of a body with results is a rejection', () => {
    const body = Buffer.concat([message(usual), message(usual.replace('ORU^R01', 'ADT^A08').replace('A-17', 'A-18'))])
    const [, first, , second, err] = segmentsOf(acknowledgement(body, { status: 200 }, now))
    expect(first).toEqual(['MSA', 'AA', 'A-17'])
    expect(second?.slice(0, 3)).toEqual(['MSA', 'AR', 'A-18'])
    expect(err?.slice(2, 4)).toEqual(['MSH^1^9', '200^Unsupported message type^HL70357'])
  })

  it('of a message without its type names the field that is missing', () => {
    const [, msa, err] = segmentsOf(
      acknowledgement(message(usual.replace('ORU^R01', '')), { status: 422, error: refused }, now),
    )
    expect([msa?.[1], err?.[2], err?.[3]]).toEqual(['AR', 'MSH^1^9', '101^Required field missing^HL70357'])
  })

  it('says what the details say beyond the sentence, and reads a header in small letters', () => {
    const error = { code: 'UNAUTHORIZED', message: 'No session', details: [{ message: 'The token has expired' }] }
    const small = Buffer.from(message(usual).toString().replace('MSH', 'msh'))
    const [, msa] = segmentsOf(acknowledgement(small, { status: 401, error }, now))
    expect(msa).toEqual(['MSA', 'AR', 'A-17', 'No session: The token has expired'])
  })

  it('keeps the delimiters of the sender, and is one for each message of a body', () => {
    const other = Buffer.from(
      '\uFEFFMSH$%*!@$LIS$N$K$O$1$$ORU%R01$B-2$T$2.4\rPID$1\r\nMSH|^~\\&|LIS||K||1||ORU^R01|B-3|P|2.6\n',
    )
    expect(headersOf(other).map((header) => header.field(10))).toEqual(['B-2', 'B-3'])
    const text = acknowledgement(other, { status: 200 }, now)
    expect(text).toContain('MSH$%*!@$K$O$LIS$N$')
    expect(text).toContain('\rMSA$AA$B-2\rMSH|')
    expect(text).toContain('\rMSA|AA|B-3\r')
  })
})

describe('MSH-18', () => {
  it.each([
    ['8859/1', 'windows-1252'],
    ['8859/15', 'iso-8859-15'],
    ['8859/5~UNICODE UTF-8', 'iso-8859-5'],
    ['UNICODE UTF-8', 'utf-8'],
    ['ASCII', 'windows-1252'],
    ['KS X 1001', 'euc-kr'],
    ['GB 18030-2000', 'gb18030'],
    ['BIG-5', 'big5'],
    ['Windows-1250', 'windows-1250'],
    ['ISO 8859-2', 'iso-8859-2'],
    ['ISO-8859-1', 'windows-1252'],
    ['8859/99', undefined],
    ['', undefined],
  ])('%j is %j', (named, encoding) => {
    expect(charsetOf(message(`${usual}||||||${named}|en`))).toBe(encoding)
  })
})
