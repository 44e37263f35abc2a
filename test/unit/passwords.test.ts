import { describe, expect, it } from 'vitest'
import { isGuessedEarly } from '../../src/modules/identity/passwords.ts'

const known = ['ada.lovelace', 'example.com', 'kitlane']

describe('a password that is chosen', () => {
  it.each([
    'liverpool2024',
    'Summer2024!!',
    'JohnSmith1985!',
    'P@ssw0rd!2024',
    'butterfly123',
    'qwertyasdfghzxcvbn',
    '1985-03-10-1985',
    'footballfootball',
    'kitlane-2026!',
    'ada.lovelace1985',
  ])('is refused where attackers try it early: %s', async (password) => {
    expect(await isGuessedEarly(password, known)).toBe(true)
  })

  it.each([
    'tram lentil orbit copper',
    'coffee at nine',
    'my dog is happy',
    'mein kleiner garten',
    'x7Gk!p2Qz#9a',
    'Sunshine-Lisbon-44',
  ])('is taken where they would not: %s', async (password) => {
    expect(await isGuessedEarly(password, known)).toBe(false)
  })
})
