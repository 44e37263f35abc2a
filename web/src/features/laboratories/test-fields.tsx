import { Button, Checkbox, Fieldset, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../language/t.ts'
import { newQuestion, nextKey, type ProblemOf, type QuestionDraft, type TestDraft } from './connection-draft.ts'

const replaced = <Row extends { key: number }>(rows: readonly Row[], row: Row): Row[] =>
  rows.map((one) => (one.key === row.key ? row : one))
const without = <Row extends { key: number }>(rows: readonly Row[], { key }: Row): Row[] =>
  rows.filter((one) => one.key !== key)

interface TestFieldsProps {
  tests: TestDraft[]
  onChange: (tests: TestDraft[]) => void
  problemOf: ProblemOf
}

/** What the laboratory tests, by kit type. */
export function TestFields({ tests, onChange, problemOf }: TestFieldsProps) {
  const panels = useRead('/operator/v1/panels').data ?? []
  const kitTypes = panels.map(({ kitType, name }) => ({ value: kitType, label: `${name} (${kitType})` }))
  return (
    <Stack>
      {tests.length === 0 && <Text c="dimmed">{t('Without a test it gets no order.')}</Text>}
      {tests.map((test, index) => (
        <Fieldset key={test.key} legend={t('Test {number}', { number: index + 1 })}>
          <OneTest
            test={test}
            kitTypes={kitTypes}
            onChange={(changed) => onChange(replaced(tests, changed))}
            remove={() => onChange(without(tests, test))}
            problemOf={(path) => problemOf(`tests.${index}.${path}`)}
          />
        </Fieldset>
      ))}
    </Stack>
  )
}

interface OneTestProps {
  test: TestDraft
  kitTypes: { value: string; label: string }[]
  onChange: (test: TestDraft) => void
  remove: () => void
  problemOf: ProblemOf
}

const fields = [
  ['name', t('Name'), t('As the laboratory calls it'), 200],
  ['code', t('Code'), t('What it is ordered by'), 60],
  ['codingSystem', t('Coding system'), t('L for a code of the laboratory, LN for LOINC'), 20],
  ['specimen', t('Specimen'), t('Such as BLD, BLDC, SAL or UR'), 20],
] as const

function OneTest({ test, kitTypes, onChange, remove, problemOf }: OneTestProps) {
  const { questions } = test
  const setQuestions = (rows: QuestionDraft[]) => onChange({ ...test, questions: rows })
  return (
    <Stack gap="sm">
      <Select
        label={t('Kit type')}
        required
        searchable
        data={kitTypes}
        value={test.kitType || null}
        error={problemOf('kitType')}
        onChange={(kitType) => onChange({ ...test, kitType: kitType ?? '' })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {fields.map(([field, label, description, maxLength]) => (
          <TextInput
            key={field}
            label={label}
            description={description}
            required
            maxLength={maxLength}
            autoComplete="off"
            value={test[field]}
            error={problemOf(field)}
            onChange={(event) => onChange({ ...test, [field]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      {questions.map((question, index) => (
        <Fieldset key={question.key} legend={t('Question {number}', { number: index + 1 })}>
          <OneQuestion
            question={question}
            onChange={(changed) => setQuestions(replaced(questions, changed))}
            remove={() => setQuestions(without(questions, question))}
            problemOf={(path) => problemOf(`questions.${index}.${path}`)}
          />
        </Fieldset>
      ))}
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          onClick={() => setQuestions([...questions, newQuestion(nextKey(questions))])}
        >
          {t('Add a question')}
        </Button>
        <Button variant="default" size="xs" c="var(--k-bad)" onClick={remove}>
          {t('Remove the test')}
        </Button>
      </Group>
    </Stack>
  )
}

const answers: Record<QuestionDraft['from'], string> = {
  value: t('Always the same'),
  question: t('What the person answered'),
  ageYears: t('Age in years'),
  sex: t('Sex'),
  collectionDate: t('Day of collection'),
  collectionTime: t('Time of collection'),
  postedDate: t('Day on which it was posted'),
  state: t('State'),
  country: t('Country'),
}
const answerOptions = Object.entries(answers).map(([value, label]) => ({
  value: value as QuestionDraft['from'],
  label,
}))

interface OneQuestionProps {
  question: QuestionDraft
  onChange: (question: QuestionDraft) => void
  remove: () => void
  problemOf: ProblemOf
}

/** What the laboratory asks at order entry, and where the answer comes from. */
function OneQuestion({ question, onChange, remove, problemOf }: OneQuestionProps) {
  const text = (field: 'text' | 'code' | 'codingSystem' | 'value', label: string, maxLength: number) => (
    <TextInput
      label={label}
      required
      maxLength={maxLength}
      autoComplete="off"
      value={question[field]}
      error={problemOf(field === 'value' ? 'answer' : field)}
      onChange={(event) => onChange({ ...question, [field]: event.currentTarget.value })}
    />
  )
  return (
    <Stack gap="sm">
      {text('text', t('What it asks'), 200)}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {text('code', t('Code'), 60)}
        {text('codingSystem', t('Coding system'), 20)}
        <Select
          label={t('Answer')}
          allowDeselect={false}
          data={answerOptions}
          value={question.from}
          onChange={(from) => from && onChange({ ...question, from })}
        />
        {question.from === 'value' && text('value', t('Value'), 200)}
        {question.from === 'question' && text('value', t('ID of the question of the panel'), 40)}
      </SimpleGrid>
      <Checkbox
        label={t('The order waits for a person if the answer is not known')}
        checked={question.isRequired}
        onChange={(event) => onChange({ ...question, isRequired: event.currentTarget.checked })}
      />
      <Button variant="default" size="xs" c="var(--k-bad)" w="fit-content" onClick={remove}>
        {t('Remove the question')}
      </Button>
    </Stack>
  )
}
