export { PERMISSIONS, type Permission, ROLE_PERMISSIONS, ROLES, type Role } from './permissions.ts';
