/** Commands on an existing Fedora: its parts, its completeness, its repair. */
package org.fedometer.cli.repository;
