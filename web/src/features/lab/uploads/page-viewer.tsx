import { type ReactNode, useEffect, useRef } from 'react'
import type { Candidate } from '../../../api/operator-shapes.ts'
import { t } from '../../../language/t.ts'
import css from './uploads.module.css'

interface PageViewerProps {
  /** Renders one page as an image. */
  picture: (page: number) => ReactNode
  pages: readonly number[]
  /** The text, for files without images. */
  lines: readonly { page: number; text: string }[]
  /** Where on the page the current value was read. */
  crop: Candidate['crop']
}

/** The original pages, with the place of the current value marked. */
export function PageViewer({ picture, pages, lines, crop }: PageViewerProps) {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => mark.current?.scrollIntoView({ block: 'center' }), [crop])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={css.paper} aria-label={t('The original pages')} tabIndex={0}>
      {pages.length === 0 && <pre className={css.text}>{lines.map(({ text }) => text).join('\n')}</pre>}
      {pages.map((page) => (
        <div key={page} className={css.page}>
          {picture(page)}
          {crop?.page === page && (
            <div
              ref={mark}
              className={css.mark}
              style={{
                left: percent(crop.x),
                top: percent(crop.y),
                width: percent(crop.w),
                height: percent(crop.h),
              }}
            />
          )}
        </div>
      ))}
    </section>
  )
}

// Places are fractions of the page's width and height.
const percent = (share: number) => `${share * 100}%`
