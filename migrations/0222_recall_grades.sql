-- grade: the worst one at which a kit was worked on, so its person and business know that one. III where the recall has none.
alter table recall_kits add column grade text;
-- Against the rule: existing rows are changed in batches, because no release has this table yet.
update recall_kits k set grade = coalesce(r.grade, 'III') from recalls r where r.id = k.recall_id and k.stage is not null;
