import { locale, speak } from './t.ts'

type DashboardLanguage = 'en' | 'es'

/** What the dashboard speaks, each by its own name. */
export const dashboardLanguages: readonly { value: DashboardLanguage; label: string }[] = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
]

const KEY = 'kitlane.language'

/** What was chosen in this browser, else the first of its languages that the dashboard speaks, else English. */
export function readLanguage(): DashboardLanguage {
  const wanted = [localStorage.getItem(KEY), ...navigator.languages].map((tag) => tag?.split('-')[0])
  return dashboardLanguages.find(({ value }) => value === wanted.find(isSpoken))?.value ?? 'en'
}

const isSpoken = (tag: string | undefined) => dashboardLanguages.some(({ value }) => value === tag)

/** Loads the language of this browser. A change of language reloads the page. */
export async function loadLanguage(): Promise<void> {
  const language = readLanguage()
  // Without its words the dashboard is English, rather than nothing.
  const words = language === 'es' ? await import('./es.ts').catch(() => undefined) : undefined
  if (words) speak(language, words.spanish)
  document.documentElement.lang = locale()
}

/** Remembers the language, and reloads the page in it. */
export function chooseLanguage(language: DashboardLanguage): void {
  localStorage.setItem(KEY, language)
  location.reload()
}
