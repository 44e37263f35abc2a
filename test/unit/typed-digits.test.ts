import { zipOf } from '@kitlane/display/postal-address'
import { isKitId, normalizeId } from '@kitlane/display/short-id'
import { latinDigits } from '@kitlane/display/text'
import { expect, it } from 'vitest'
import { newKitIds } from '../../src/domain/ids.ts'
import { dayOf, optionalPhone } from '../../src/platform/http/fields.ts'
import { kitIn } from '../../web/src/components/station/codes.ts'

const scripts = [
  '٠١٢٣٤٥٦٧٨٩',
  '۰۱۲۳۴۵۶۷۸۹',
  '०१२३४५६७८९',
  '๐๑๒๓๔๕๖๗๘๙',
  '０１２３４５６７８９',
  '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗',
  '𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡',
  '𞥐𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘𞥙',
]

it.each(scripts)('digits of any script are typed for 0 to 9: %s', (script) => {
  const digits = [...script]
  const typed = (text: string) => text.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? '')
  expect(latinDigits(`${script} é Ⅷ ½`)).toBe('0123456789 é Ⅷ ½')
  expect(dayOf.parse(typed('1956-12-09'))).toBe('1956-12-09')
  expect(optionalPhone.parse(typed('+49 30 901820'))).toBe('+49 30 901820')
  expect([zipOf(typed('05401'), 'US'), zipOf(typed('EC1Y 8SY'), 'GB')]).toEqual(['05401', 'EC1Y 8SY'])
  for (const id of newKitIds(5)) {
    expect(isKitId(typed(id)) && normalizeId(typed(id))).toBe(id)
    expect(kitIn(typed(id))).toBe(id)
  }
})
