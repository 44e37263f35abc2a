import { Group, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { CsvButton } from '../../../components/csv-button.tsx'
import { t } from '../../../language/t.ts'
import css from './numbers.module.css'

interface PartProps {
  title: string
  /** What it shows, in a sentence. */
  sentence: ReactNode
  /** The route of its figures, which answers them as CSV too. */
  csv: string
  filters: Record<string, string>
  children: ReactNode
}

/** A part of the page between two lines, with its name, a sentence and its file. */
export function Part({ title, sentence, csv, filters, children }: PartProps) {
  const id = useId()
  return (
    <section className={css.section} aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" mb="sm">
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          <Text size="sm" c="dimmed" maw={720}>
            {sentence}
          </Text>
        </div>
        <span className="no-print">
          <CsvButton path={csv} filters={filters} label={t('{title} as CSV', { title })} />
        </span>
      </Group>
      {children}
    </section>
  )
}

interface FiguresProps {
  label: string
  isOpen?: boolean
  children: ReactNode
}

/** The figures behind a chart, folded unless they were asked for. */
export function Figures({ label, isOpen, children }: FiguresProps) {
  return (
    <details className={css.details} open={isOpen}>
      <summary>{label}</summary>
      {children}
    </details>
  )
}
