import { describe, expect, it } from 'vitest'
import { AddressList, isAddressOrNetwork } from '../../src/platform/http/address-list.ts'

describe('a list of addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.77/24', '203.0.113.1', true],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', true],
    ['::/0', '203.0.113.7', false],
    ['203.0.113.0/24', '::ffff:203.0.113.7', true],
    ['203.0.113.0/24', '::ffff:203.0.114.7', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['203.0.113.0/24', 'not an address', false],
    ['203.0.113.0/24', '', false],
  ])('%s, used from %s: %s', (entry, ip, isIn) => {
    expect(new AddressList(['192.0.2.1', entry]).includes(ip)).toBe(isIn)
  })

  it.each([
    '',
    'example.com',
    '203.0.113',
    '203.0.113.256',
    '203.0.113.0/33',
    '203.0.113.0/-1',
    '203.0.113.0/',
    '203.0.113.0/24/8',
    '2001:db8::/129',
    '::ffff:203.0.113.0/120',
    'fe80::1%eth0',
    ' 203.0.113.7',
  ])('takes no %s', (text) => {
    expect(isAddressOrNetwork(text)).toBe(false)
  })
})
