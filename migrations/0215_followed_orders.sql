-- Which kits have an order at a laboratory: where no new ones are made, only these are looked for.
alter table kits add column has_lab_order boolean not null default false;
