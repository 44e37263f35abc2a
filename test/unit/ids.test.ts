import { isId, isKitId, kitIdOfNumber, normalizeId } from '@kitlane/display/short-id'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  newCustomerId,
  newDatedId,
  newKitId,
  newKitIds,
  newOpaqueId,
  newOrderId,
  newPassword,
  newReportId,
  randomBase62,
} from '../../src/domain/ids.ts'
import { hashToken, newToken, parseToken } from '../../src/platform/tokens.ts'
import { anyText } from '../harness/any-text.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const replace = (text: string, at: number, by: string) => text.slice(0, at) + by + text.slice(at + by.length)
const isAnyId = (text: string) => isId('K', text) || isId('O', text) || isId('R', text)

describe('ids', () => {
  it('have a prefix and nine characters that people do not misread', () => {
    expect(newOrderId()).toMatch(/^O[0-9A-HJKMNP-TV-Z]{9}$/)
    expect(newKitId()).toMatch(/^K[0-9A-HJKMNP-TV-Z]{9}$/)
    expect(newReportId()).toMatch(/^R[0-9A-HJKMNP-TV-Z]{9}$/)
    expect([isId('O', newOrderId()), isKitId(newKitId()), isId('R', newReportId())]).toEqual([true, true, true])
  })

  it('of kits are known in the numbers of their orders to laboratories', () => {
    const id = newKitId()
    expect([id, `${id}-2`, `${id.toLowerCase()}-12`].map(kitIdOfNumber)).toEqual([id, id, id])
    expect(['', '-2', `${id}-`, `${id}-123`, `${id}2`, `X${id}-2`].map(kitIdOfNumber)).toEqual(Array(6).fill(undefined))
  })

  it('of events are as long as any opaque ID, differ, and sort by time', () => {
    const times = [
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:00.001Z',
      '2026-11-22T10:00:00.000Z',
      '2039-12-31T23:59:59.999Z',
    ]
    const ids = times.flatMap((time) => Array.from({ length: 50 }, () => newDatedId('evt', new Date(time))))
    for (const id of ids) expect(id).toMatch(/^evt_[0-9A-Za-z]{22}$/)
    expect(new Set(ids).size).toBe(200)
    expect(times.map((_, at) => ids[at * 50]).toSorted()).toEqual(times.map((_, at) => ids[at * 50]))
  })

  it('with one character mistyped are never valid, whichever it is and whatever it became', () => {
    const missed: string[] = []
    for (const id of [...newKitIds(20), newOrderId(), newReportId()]) {
      for (let at = 0; at < id.length; at++) {
        for (const by of at === 0 ? 'OKR' : alphabet) {
          if (by !== id.charAt(at) && isAnyId(replace(id, at, by))) missed.push(`${id} at ${at} by ${by}`)
        }
      }
    }
    expect(missed).toEqual([])
  })

  it('with two characters swapped are never valid, neighbours or not', () => {
    const missed: string[] = []
    for (const id of [...newKitIds(300), newOrderId(), newReportId()]) {
      for (let left = 0; left < id.length; left++) {
        for (let right = left + 1; right < id.length; right++) {
          if (id.charAt(left) === id.charAt(right)) continue
          const swapped = replace(replace(id, left, id.charAt(right)), right, id.charAt(left))
          if (isAnyId(swapped)) missed.push(`${id} as ${swapped}`)
        }
      }
    }
    expect(missed).toEqual([])
  })

  it('are found for every pair of symbols at every two places', () => {
    // The code is linear: the sum of a swap or substitution depends on the symbols and places alone, so one body per pair proves all.
    const kit = newKitId()
    const missed: string[] = []
    for (let at = 1; at < 9; at++) {
      for (const a of alphabet) {
        for (const b of alphabet) {
          if (a === b) continue
          const wanted = replace(kit, at, a + b).slice(0, 9)
          const last = [...alphabet].filter((check) => isKitId(wanted + check))
          const isSwapped = at < 8 && isKitId(replace(wanted + last, at, b + a))
          if (last.length !== 1 || isSwapped) missed.push(`${wanted} at ${at}`)
        }
      }
    }
    expect(missed).toEqual([])
  })

  it('are read as people type them: lower case, spaces around, O for 0, I and L for 1', () => {
    expect(normalizeId(' koil0abcde ')).toBe('K0110ABCDE')
    for (const id of newKitIds(200)) {
      const typed = id.charAt(0) + id.slice(1).replaceAll('0', 'o').replaceAll('1', 'l')
      expect(normalizeId(` ${typed.toLowerCase()}`)).toBe(id)
      expect(isKitId(typed)).toBe(true)
    }
  })

  it('of other shapes are refused without a crash', () => {
    fc.assert(
      fc.property(anyText(12), (text) => {
        fc.pre(!/^[kor].{9}$/i.test(text.trim()))
        expect(isAnyId(text)).toBe(false)
        normalizeId(text)
      }),
    )
  })

  it('made in bulk are distinct', () => {
    const ids = newKitIds(20_000)
    expect(new Set(ids).size).toBe(20_000)
    expect(ids.every(isKitId)).toBe(true)
    expect(newKitIds(0)).toEqual([])
  })

  it('of other kinds have their promised form', () => {
    expect(newOpaqueId('evt')).toMatch(/^evt_[0-9A-Za-z]{22}$/)
    expect(String(newCustomerId())).toMatch(/^[1-9]\d{11}$/)
    expect(newPassword()).toMatch(/^([0-9a-hjkmnp-tv-z]{5}-){3}[0-9a-hjkmnp-tv-z]{5}$/)
    expect(new Set(randomBase62(5000))).toHaveLength(62)
  })
})

describe('an API token', () => {
  it('says its mode and carries a checksum', () => {
    expect(newToken('live')).toMatch(/^kl_live_[0-9A-Za-z]{38}$/)
    expect(parseToken(newToken('live'))).toEqual({ kind: 'live' })
    expect(parseToken(newToken('sandbox'))).toEqual({ kind: 'sandbox' })
    expect(hashToken(newToken('live'))).toHaveLength(32)
  })

  it('that was mistyped or cut is refused without a database', () => {
    const token = newToken('live')
    for (let at = 0; at < token.length; at++) {
      for (const by of 'aZ0_') if (by !== token.charAt(at)) expect(parseToken(replace(token, at, by))).toBeUndefined()
      expect(parseToken(token.slice(0, at))).toBeUndefined()
    }
    expect(parseToken(`${token}\n`)).toBeUndefined()
    expect(parseToken(token.replace('live', 'test'))).toBeUndefined()
  })
})
