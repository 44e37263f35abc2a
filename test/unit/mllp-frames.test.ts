import { describe, expect, it } from 'vitest'
import { withoutToken } from '../../src/extensions/mllp/serve.ts'
import { framed, framesUpTo } from '../../src/platform/mllp-frames.ts'

const MAX = 50
const message = (text: string) => framed(text)
const texts = (found: Buffer[]) => found.map(String)

describe('messages of MLLP', () => {
  it('are whole wherever the network cuts them, joined, with garbage between them, and without a carriage return', () => {
    const sent = Buffer.concat([
      Buffer.from('noise\r\n'),
      message('MSH|one\rPID|é\r'),
      message('MSH|two\r'),
      Buffer.from('\r\n\x1c'),
      message('MSH|three\r').subarray(0, -1),
      message(''),
    ])
    const expected = ['MSH|one\rPID|é\r', 'MSH|two\r', 'MSH|three\r', '']
    expect(texts(framesUpTo(MAX).read(sent))).toEqual(expected)
    for (let first = 0; first <= sent.length; first++)
      for (const second of [first, first + 1, first + 7]) {
        const frames = framesUpTo(MAX)
        const parts = [sent.subarray(0, first), sent.subarray(first, second), sent.subarray(second)]
        expect(texts(parts.flatMap((part) => frames.read(part)))).toEqual(expected)
        expect(frames.isInside()).toBe(false)
      }
    const single = framesUpTo(MAX)
    expect(texts([...sent].flatMap((byte) => single.read(Buffer.from([byte]))))).toEqual(expected)
  })

  it('that break off are forgotten when the next one begins', () => {
    const frames = framesUpTo(MAX)
    expect(frames.read(Buffer.from('\x0bMSH|half'))).toEqual([])
    expect(frames.isInside()).toBe(true)
    expect(texts(frames.read(Buffer.from('\x0bMSH|whole\r\x1c\r')))).toEqual(['MSH|whole\r'])
  })

  it('that are too long keep one byte more than the limit and no memory beyond, and the next one is read', () => {
    const frames = framesUpTo(MAX)
    frames.read(Buffer.from('\x0bMSH|'))
    for (let i = 0; i < 1000; i++) expect(frames.read(Buffer.alloc(1000, 'x'))).toEqual([])
    const [long, next] = frames.read(Buffer.from('\x1c\r\x0bMSH|next\r\x1c\r'))
    expect(long).toHaveLength(MAX + 1)
    expect(String(next)).toBe('MSH|next\r')
  })
})

describe('the token of a message', () => {
  it('is taken out of MSH-8, and every other byte stays, whatever the character set and the separators', () => {
    const latin = Buffer.from(
      'MSH|^~\\&|LAB|X|K|Y|2026|kl_oper_a|ORU^R01|1|P|2.5\rPID|1||a|b|M\xfcller|f|g|kl_oper_a\r',
      'latin1',
    )
    const { token, body } = withoutToken(latin)
    expect(token).toBe('kl_oper_a')
    expect(body.toString('latin1')).toBe(
      'MSH|^~\\&|LAB|X|K|Y|2026||ORU^R01|1|P|2.5\rPID|1||a|b|M\xfcller|f|g|kl_oper_a\r',
    )
    expect(String(withoutToken(Buffer.from('MSH$%~\\&$A$B$C$D$1$ T $ORU%R01\n')).body)).toBe(
      'MSH$%~\\&$A$B$C$D$1$$ORU%R01\n',
    )
  })

  it('may stand in the header of a file or a batch, and leaves no header of the body', () => {
    const batch =
      '\uFEFFFHS|^~\\&|A|B|C|D|1|T1\rBHS|^~\\&|A|B|C|D|1|T2|x\rMSH|^~\\&|A|B|C|D|1||ORU\r\nmsh|^~\\&|A|B|C|D|1|T3|ORU\r'
    const { token, body } = withoutToken(Buffer.from(batch))
    expect(token).toBe('T1')
    expect(String(body)).toBe(
      '\uFEFFFHS|^~\\&|A|B|C|D|1|\rBHS|^~\\&|A|B|C|D|1||x\rMSH|^~\\&|A|B|C|D|1||ORU\r\nmsh|^~\\&|A|B|C|D|1||ORU\r',
    )
  })

  it('is none where there is no header, or its field is empty', () => {
    for (const text of ['', 'hello', 'MSH|^~\\&|A', 'MSH|^~\\&|A|B|C|D|1||ORU^R01', 'PID|1|2|3|4|5|6|T'])
      expect(withoutToken(Buffer.from(text))).toEqual({ token: undefined, body: Buffer.from(text) })
  })
})
