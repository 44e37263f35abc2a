import { execFileSync } from 'node:child_process'
import { biomarkers as catalogue } from '@kitlane/lab-reader/facts/biomarkers'
import { recogniseInChild } from '@kitlane/lab-reader/parse/ocr/recognise-in-child'
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import { parseInChild } from '../../src/modules/lab/parse-in-child.ts'
import { candidatesOf } from '../../src/modules/lab/review/rules.ts'
import { childrenCpuMs, slowness, watchLoop } from '../harness/loop.ts'
import * as hostile from '../samples/hostile.ts'
import { expected, labSheet, scanPage, tiffOf, turnedBy } from '../samples/make-scan.ts'
import { score } from '../samples/score-scan.ts'

async function recognised(picture: Uint8Array) {
  const { rows, pages } = await recogniseInChild(picture)
  const figures = score(candidatesOf(rows, catalogue), expected)
  expect(figures).toMatchObject({ wrongNotFlagged: 0, invented: 0 })
  expect(figures.right).toBeGreaterThanOrEqual(15)
  return pages
}

describe('a picture', () => {
  it('that lies on its side or upside down is turned before it is recognised', async () => {
    const picture = await scanPage(labSheet(), { dpi: 150, angle: 1, noise: 20 })
    for (const degrees of [90, 180] as const) {
      const pages = await recognised((await turnedBy(degrees, picture)).toBuffer('image/png'))
      expect(pages.map(({ width, height }) => width < height)).toEqual([true])
    }
  })

  it('as TIFF is recognised page by page', async () => {
    const picture = await scanPage(labSheet(), { dpi: 150 })
    const tiff = tiffOf([createCanvas(300, 400), await turnedBy(180, picture)])
    await expect(parseInChild(tiff)).rejects.toMatchObject({ needsReview: 'image' })
    expect(await recognised(tiff)).toHaveLength(2)
  })
})

function children(): string[] {
  const table = execFileSync('ps', ['-eo', 'ppid,args'], { encoding: 'utf8' })
  return table
    .split('\n')
    .filter((line) => line.trim().startsWith(`${process.pid} `) && line.includes('parse/ocr/child'))
}

describe('a hostile file', () => {
  const attacks: [string, () => Uint8Array | Promise<Uint8Array>, string[]][] = [
    ['a picture of 3.6 billion pixels', () => hostile.pngClaiming(60_000, 60_000), ['TOO_LARGE']],
    ['a TIFF of 3.6 billion pixels', () => hostile.tiffClaiming(60_000, 60_000), ['TOO_LARGE']],
    [
      'a TIFF that refers to itself',
      () => hostile.tiffInALoop(),
      ['seen', 'PARSE_FAILED', 'TOO_LARGE', 'PARSE_TIMEOUT'],
    ],
    ['a page whose picture has 400 million pixels', () => hostile.pictureBomb(), ['seen', 'TOO_LARGE']],
    ['10,000 pages', () => hostile.manyPages(10_000), ['seen']],
    ['a page a kilometre long', hostile.longPage, ['seen', 'PARSE_FAILED']],
    [
      'half a JPEG that is a PDF too',
      async () => {
        const jpeg = await scanPage(labSheet(), { dpi: 72, format: 'jpeg' })
        return Buffer.concat([jpeg.subarray(0, 3000), Buffer.from('\n%PDF-1.7\n1 0 obj\n')])
      },
      ['seen', 'PARSE_FAILED'],
    ],
  ]
  it.each(attacks)('%s: ends in a clear state, the service undisturbed', async (name, make, outcomes) => {
    const bytes = await make()
    const loop = watchLoop()
    const before = childrenCpuMs()
    const outcome = await recogniseInChild(bytes).then(
      () => 'seen',
      (err) => err.code,
    )
    const heldUpMs = loop.stop()
    const tookMs = childrenCpuMs() - before
    process.stdout.write(
      `${name.padEnd(44)} ${outcome.padEnd(12)} ${tookMs.toFixed(0)} ms of CPU, held up ${heldUpMs.toFixed(0)} ms\n`,
    )
    expect(outcomes).toContain(outcome)
    expect(tookMs).toBeLessThan(30_000 * slowness())
    expect(heldUpMs).toBeLessThan(200 * slowness())
    expect(children()).toEqual([])
  })

  it('is ended when its time or memory is over', async () => {
    const jpeg = await scanPage(labSheet(), { dpi: 72, format: 'jpeg' })
    const slow = recogniseInChild(jpeg, { timeoutMs: 300 })
    const large = recogniseInChild(jpeg, { maxMemoryMb: 60 })
    await expect(slow).rejects.toMatchObject({ code: 'BUSY' })
    await expect(large).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(children()).toEqual([])
  })
})
