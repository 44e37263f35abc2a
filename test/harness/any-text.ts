import fc from 'fast-check'

/** Any code point. The one of fast-check (`binary`) costs 0.8 s of CPU in each process that uses it. */
const anyCharacter = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point))

/** Texts of any characters, lone halves of surrogate pairs among them. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> => fc.string({ unit: anyCharacter, maxLength })
