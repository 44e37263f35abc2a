import { useEffect } from 'react'
import { t } from '../language/t.ts'

/** What the tab is called. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = t('{title} · Kitlane', { title })
  }, [title])
}
