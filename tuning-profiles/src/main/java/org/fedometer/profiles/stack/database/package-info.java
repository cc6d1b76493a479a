/**
 * The database of a stack: PostgreSQL and MySQL from archives or as installed on the machine, or an
 * external database.
 */
package org.fedometer.profiles.stack.database;
