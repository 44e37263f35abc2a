import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import eventWords from '../../src/modules/events/data/words-1.json' with { type: 'json' }
import summaryWords from '../../src/modules/reports/data/summary-words-1.json' with { type: 'json' }
import reportWords from '../../src/modules/reports/data/words-1.json' with { type: 'json' }
import { SEAL_BYTES, secretKey } from '../../src/platform/crypto.ts'
import {
  beginningOf,
  beginningsOf,
  begins,
  hashingOnce,
  isMeant,
  nameWordsOf,
  termsOfTyped,
} from '../../src/platform/sealing/beginnings.ts'
import { localProvider } from '../../src/platform/sealing/key-provider.ts'
import { hashWith, keyring } from '../../src/platform/sealing/keyring.ts'
import { pack, unpack, wordsOf } from '../../src/platform/sealing/packing.ts'
import { sealedText } from '../../src/platform/sealing/sealed-bytes.ts'
import { sealedColumns } from '../../src/platform/sealing/sealed-columns.ts'

const keyOf = (id: number) => ({ ...secretKey(randomBytes(32)), id: Buffer.from([0, 0, 0, id]) })
const index = createSecretKey(randomBytes(32))
const one = keyOf(1)
const two = keyOf(2)
const ringOf = (realmId: number, current = one, known = [one, two], packs = false) =>
  keyring({
    realmId,
    packs,
    current,
    data: new Map(known.map((key) => [key.id.readInt32BE(), key])),
    hashIn: hashWith(index),
  })

const people = sealedColumns<{ name: string | null }>({
  table: 'people',
  key: { id: 'text' },
  clear: { name: 'name' },
})

describe('a sealed value', () => {
  const keys = ringOf(7)
  const sealed = people.seal(keys, ['a'], { name: 'Ærø Straße' })

  it('is read in its own row', () => {
    expect(people.open(keys, ['a'], sealed)).toEqual({ name: 'Ærø Straße' })
  })

  it('is not read in another row, another realm, or changed', () => {
    expect(() => people.open(keys, ['b'], sealed)).toThrow()
    expect(() => people.open(ringOf(8), ['a'], sealed)).toThrow()
    const changed = sealed.slice(0, -1) + (sealed.endsWith('0') ? '1' : '0')
    expect(() => people.open(keys, ['a'], changed)).toThrow()
  })

  it('holds nothing in clear', () => {
    expect(Buffer.from(sealed.slice(2), 'hex').includes('Stra')).toBe(false)
  })

  it('is read after the key was replaced, as long as the key is kept', () => {
    expect(people.open(ringOf(7, two), ['a'], sealed)).toEqual({ name: 'Ærø Straße' })
    expect(() => people.open(ringOf(7, two, [two]), ['a'], sealed)).toThrow('The key 1 of realm 7 is not here')
  })

  it('of a version before is read, and found by the same hash', () => {
    const nine = { ...secretKey(Buffer.alloc(32, 7)), id: Buffer.from([0, 0, 0, 9]) }
    const old = keyring({
      realmId: 7,
      packs: false,
      current: nine,
      data: new Map([[9, nine]]),
      hashIn: hashWith(createSecretKey(Buffer.alloc(32, 8))),
    })
    const sealed = '0100000009796ead671f341f6983ff2f2cd03ae912252ef89c9a475554c19e907fe3e07e'
    expect(old.open(Buffer.from(sealed, 'hex'), 'people/7/C1').toString()).toBe('Ada')
    expect(old.hash('people.email', 'ada@example.test').toString('hex')).toBe('c40919bced42e61ee14ec9b7510189af')
  })

  it('never has the nonce of another', () => {
    const nonces = Array.from({ length: 5000 }, () => keys.seal('', 'here').toString('hex', 5, 17))
    expect(new Set(nonces).size).toBe(5000)
  })

  it('of a version before sealing is read as it is', () => {
    expect(people.open(keys, ['a'], { name: 'Ann' })).toEqual({ name: 'Ann' })
  })
})

describe('a packed value', () => {
  const words = [Buffer.from('{"kitStatus":"preparing"}'), Buffer.from('{"kitStatus":"delivered"}')]
  const declaration = { table: 'kits', key: { id: 'text' }, clear: { kitStatus: 'status' } }
  const packing = { ...ringOf(7), packs: true }
  const value = { kitStatus: 'delivered' }
  const kits = sealedColumns<typeof value>({ ...declaration, words })

  it('is read, and is shorter by the words that it shares', () => {
    const packed = kits.seal(packing, ['a'], value)
    expect(kits.open(packing, ['a'], packed)).toEqual(value)
    expect(packed.length).toBeLessThan(kits.seal(ringOf(7), ['a'], value).length)
  })

  it('is written only once every process reads it, and both forms are read by all of this version', () => {
    const unpacked = kits.seal(ringOf(7), ['a'], value)
    expect(sealedColumns<typeof value>(declaration).open(packing, ['a'], unpacked)).toEqual(value)
    expect(kits.open(packing, ['a'], unpacked)).toEqual(value)
    expect(kits.open(ringOf(7), ['a'], kits.seal(packing, ['a'], value))).toEqual(value)
  })

  it('is read with the words that it was packed with, after there are better ones', () => {
    const before = sealedColumns<typeof value>({ ...declaration, words: words.slice(0, 1) })
    expect(kits.open(packing, ['a'], before.seal(packing, ['a'], value))).toEqual(value)
    expect(() => before.open(packing, ['a'], kits.seal(packing, ['a'], value))).toThrow('the words 1')
  })

  it('cannot be passed off as one that is not packed', () => {
    const packed = kits.seal(packing, ['a'], value)
    expect(() => kits.open(packing, ['a'], packed.replace('02', '01'))).toThrow()
  })

  it.each([0, 1, 200, 5000, 60_000])('of %i letters comes back as it was', (length) => {
    const text = randomBytes(length).toString('hex').slice(0, length)
    expect(unpack(pack(text, words), words).toString()).toBe(text)
  })

  it('is packed with words that never change, for what they packed is read with them', () => {
    const digest = (parts: string[]) => createHash('sha256').update(wordsOf(parts)).digest('hex')
    expect(digest(eventWords)).toBe('85f19326fb0171fbfb7a70a009abb5ef8ee3aac9050f30348946bd3a73999337')
    expect(digest(reportWords)).toBe('af21e3dea9dfacaafd51889da77791dd1fb5c4f2059db8ae61fd2c36b4019108')
    expect(digest(summaryWords)).toBe('6a15e14bfd83b152868410276b9235effd2003f6a4d8c8889756a1c54511899c')
  })
})

describe('the beginnings of a text', () => {
  const keys = ringOf(7)
  const found = (text: string, typed: string) => {
    return beginningsOf(keys, 'name', text).includes(beginningOf(keys, 'name', typed))
  }

  it('find it from three letters on, however accents and case are written', () => {
    for (const typed of ['gar', 'Garc', 'garcía', 'GARCIA MAR', 'garcía márquez']) {
      expect(found('García Márquez', typed), typed).toBe(true)
      expect(begins('García Márquez', typed), typed).toBe(true)
    }
    expect(found('García Márquez', 'ga')).toBe(false)
    expect(found('García Márquez', 'Mar')).toBe(false)
  })

  it('of names in signs count from the first one, and a short name is found whole', () => {
    expect(found('李小龙', '李')).toBe(true)
    expect(found('Ng', 'ng')).toBe(true)
    expect(found('Nguyen', 'ng')).toBe(false)
  })

  it('have other hashes in another realm', () => {
    expect(beginningsOf(keys, 'name', 'García')).not.toEqual(beginningsOf(ringOf(8), 'name', 'García'))
  })
})

describe('a name', () => {
  const keys = ringOf(7)
  const isFound = (name: string, typed: string) => {
    const terms = [name, ...nameWordsOf(name)].flatMap((text) => beginningsOf(keys, 'name', text))
    return (
      termsOfTyped(keys, 'name', typed).some((term) => terms.includes(term)) && isMeant({ texts: [name], name }, typed)
    )
  }

  it.each([
    [
      'Margaret O’Neill-Sørensen',
      ["O'Neill", 'O`Neill', 'oneill', 'O Neill', 'Neill', 'sorensen', 'Sørensen', 'Sorensen Margaret'],
    ],
    ["Sinéad O'Neill", ['O’Neill', 'oʼneill', 'sinead oneill', 'nei', 'ONe']],
    ['Gabriel García Márquez', ['Márquez', 'marquez', 'garcia marq', 'MARQUEZ GABRIEL', 'mar', 'Garcia M']],
    ['Łukasz Żółć', ['lukasz', 'Łuk', 'zolc', 'zol']],
    ['Jürgen Groß-Weißæxd Đorđević', ['gross', 'groß', 'weissaexd', 'dordevic', 'Đorđ']],
    ['Maria del Carmen d’Angelo', ['carmen', 'dangelo', "d'Angelo", 'angelo', 'del Carmen']],
    ['García', ['GARCI\u0301A', 'garci\u0301a']],
    ['Jean-Luc van der Berg', ['jean luc', 'luc', 'vanderberg'.slice(0, 3), 'der berg', 'berg, jean']],
    ['李 小龙', ['李', '小龙', '小']],
    ['Wei Li', ['li', 'Li Wei']],
  ])('%s is found by each of its words, however they are written', (name, ways) => {
    for (const typed of ways) expect(isFound(name, typed), typed).toBe(true)
  })

  it.each([
    ['García Márquez', ['arquez', 'garcia lopez', 'ga', 'marquezx']],
    ['O’Neill', ['o', 'neil lo', 'eill']],
    ['Wei Lin', ['li']],
  ])('%s is not found by parts of words, or by words that it does not have', (name, ways) => {
    for (const typed of ways) expect(isFound(name, typed), typed).toBe(false)
  })
})

describe('hashing once', () => {
  it('finds the same terms', () => {
    const keys = ringOf(7)
    const once = hashingOnce(keys)
    for (const kind of ['name', 'email', 'name'])
      expect(beginningsOf(once, kind, 'García Lorca')).toEqual(beginningsOf(keys, kind, 'García Lorca'))
  })
})

describe('the local master key', () => {
  it('unwraps what it wrapped, for the same realm only', async () => {
    const master = secretKey(randomBytes(32))
    const provider = localProvider(master)
    const bytes = randomBytes(32)
    const wrapped = await provider.wrap(bytes, 3)
    expect(await provider.unwrap(wrapped, provider.current, 3)).toEqual(bytes)
    await expect(provider.unwrap(wrapped, provider.current, 4)).rejects.toThrow()
    const next = localProvider(secretKey(randomBytes(32)), [master])
    expect(await next.unwrap(wrapped, provider.current, 3)).toEqual(bytes)
    await expect(localProvider(secretKey(randomBytes(32))).unwrap(wrapped, provider.current, 3)).rejects.toThrow(
      'ENCRYPTION_KEY is another one',
    )
  })
})

describe('a long text', () => {
  const answers = sealedText({ table: 'answers', key: { key: 'text' }, clear: '$.body' })
  // 2 ms of work are one turn, and a short text needs less.
  const text = 'ä"'.repeat(10_000_000)

  it('is sealed and opened while other work goes on', async () => {
    let turns = 0
    const work = () => {
      turns++
      other = setImmediate(work)
    }
    let other = setImmediate(work)
    const sealed = await answers.sealText(ringOf(7), ['a'], text)
    const whileSealed = turns
    expect(whileSealed).toBeGreaterThan(0)
    expect(await answers.openText(ringOf(7), ['a'], sealed)).toBe(text)
    expect(turns).toBeGreaterThan(whileSealed)
    clearImmediate(other)
    await expect(answers.openText(ringOf(7), ['b'], sealed)).rejects.toThrow()
  })

  it('is sealed as it is, like a short one', async () => {
    const sealed = await answers.sealText(ringOf(7), ['a'], text)
    expect(sealed.length).toBe(Buffer.byteLength(text) + SEAL_BYTES)
    expect(answers.openBytes(ringOf(7), ['a'], sealed).toString()).toBe(text)
  })
})
