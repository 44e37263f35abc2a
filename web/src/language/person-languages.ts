/** What people tested read, each by its own name: the files of src/domain/translations. */
export const personLanguages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
  { value: 'de', label: 'Deutsch' },
  { value: 'fr', label: 'Français' },
  { value: 'ar', label: 'العربية' },
  { value: 'ja', label: '日本語' },
] as const
