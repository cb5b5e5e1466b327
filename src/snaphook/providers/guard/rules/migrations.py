"""Tools that manage a database's schema, when told to start it over."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span

_HARMS = harms(
    """
    rails|rake db:drop*|db:reset|db:purge*|db:migrate:reset|db:truncate_all|db:schema:load*
    rails runner *delete_all*|*destroy_all*|*truncate*|*drop_table*
    rails|rake db:structure:load|db:rollback|db:setup|db:seed:replant
    gitlab-rake gitlab:backup:restore|db:*|gitlab:setup
    python|python2|python3|uv *manage.py flush|reset_db|reset_schema|sqlflush|sqlclear|drop_test_database
    python|python3 *manage.py migrate --run-syncdb
    python|python3 *manage.py migrate * zero
    manage.py|django-admin flush|reset_db
    manage.py|django-admin migrate * zero
    manage.py|django-admin migrate --run-syncdb
    prisma migrate reset
    prisma db push --force-reset|--accept-data-loss
    prisma db execute
    alembic downgrade
    flask|aerich db|downgrade downgrade
    flyway clean|undo
    liquibase drop-all|dropAll|rollback*
    artisan migrate:fresh|migrate:refresh|migrate:reset|db:wipe|migrate:rollback
    php *artisan migrate:fresh|migrate:refresh|migrate:reset|db:wipe|migrate:rollback
    php *console doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load
    mix ecto.drop|ecto.reset|ecto.rollback
    knex migrate:rollback --all
    knex migrate:down --all
    sequelize|sequelize-cli db:drop|db:migrate:undo:all
    typeorm|typeorm-ts-node-commonjs schema:drop|migration:revert
    drizzle-kit drop
    drizzle-kit push --force
    mikro-orm schema:drop|schema:fresh|migration:fresh|database:drop
    dbmate drop|rollback|down
    goose reset|down-to
    migrate drop|down
    sqlx|diesel database drop|reset
    sea-orm-cli migrate fresh|reset|refresh
    dotnet ef database drop
    wp db drop|reset|clean
    wp site empty|delete
    drush sql:drop|sql-drop|site:install
    hasura metadata|migrate clear|delete
    dbt run-operation
    atlas schema clean
    """
)


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a schema tool that drops, empties or rolls back everything.

    Asks: rails db:drop
    Asks: RAILS_ENV=production bin/rails db:reset
    Asks: python manage.py flush --no-input
    Asks: npx prisma migrate reset --force
    Asks: alembic downgrade base
    Asks: php artisan migrate:fresh --seed
    Asks: mix ecto.reset
    Asks: rails runner 'User.delete_all'
    Asks: flyway clean
    Asks: php artisan tinker --execute="User::truncate()"
    Asks: echo "User.delete_all" | rails console
    Allows: rails db:migrate
    Allows: rails runner 'puts User.count'
    Allows: python manage.py migrate
    Allows: python manage.py runserver
    Allows: npx prisma generate
    Allows: npx prisma migrate dev
    Allows: alembic upgrade head
    Allows: php artisan serve
    Allows: mix ecto.migrate
    """
    if call.program in ("rails", "php", "artisan", "bundle", "bin/rails") and _empties(call):
        return call.span
    return _HARMS.find(call)


def _empties(call: Call) -> bool:
    """Say whether a framework's shell is given code that empties or drops tables."""
    words = {arg.text for arg in call.operands[:2]}
    if not words & {"runner", "console", "c", "r", "tinker"} and "artisan" not in " ".join(words):
        return False
    texts = [*(arg.text for arg in call.args), call.stdin or ""]
    return any(_ALL.search(text) for text in texts)


_ALL = re.compile(
    r"(?:\.|::|->)(?:delete_all|destroy_all|truncate|drop_table|query\(\)->delete|dropIfExists|delete\(\))|DROP\s|TRUNCATE\s"
)


RULE = Rule(
    id="database.start-over",
    answer=GuardAnswer.ASK,
    says="drops, resets or rolls back a database schema",
    why="the data in its tables is deleted",
    instead="Migrate forward, or use a test database.",
    programs=_HARMS.programs,
    objects_to=objects_to,
)
