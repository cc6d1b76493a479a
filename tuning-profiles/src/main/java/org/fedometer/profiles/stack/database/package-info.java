/**
 * The database of a stack: PostgreSQL and MySQL from their archives or as the machine has them, and
 * one that is somebody else's.
 */
package org.fedometer.profiles.stack.database;
